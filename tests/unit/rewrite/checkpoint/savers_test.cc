// Savers that write one file, and which ops belong to a saver at all.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/rewrite/checkpoint/report_json.h"
#include "tests/unit/rewrite/checkpoint/saver_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using test::kPlainSaver;
using test::rewrite_savers;
using Texts = std::vector<std::string>;

TEST_CASE("Save and restore are replaced one to one, and names stay", "[checkpoint_ops]") {
  const auto made = rewrite_savers(kPlainSaver);
  CHECK(made.removed() == Texts{"save/SaveV2", "save/RestoreV2"});
  CHECK(made.graph.op_count() == made.original.graph.op_count());
  CHECK(made.inputs("save/TmciSave") ==
        Texts{"save/Const:0", "save/names:0", "save/slices:0", "a:0", "r/Read:0"});
  CHECK(made.graph.type(test::op(made.graph, "save/TmciSave")) == "TmciSave");
  CHECK(made.attribute("save/TmciSave", "backend").string == "file");
  CHECK(made.attribute("save/TmciSave", "config").string == R"({"async": true})");
  CHECK(made.attribute("save/TmciSave", "T").types ==
        std::vector{DataType::kFloat, DataType::kFloat});
  CHECK(made.attribute("save/TmciSave", "_kept").integer == 7);
  CHECK_FALSE(*made.graph.attribute(test::op(made.graph, "save/TmciSave"), "dtypes"));
  CHECK(made.inputs("save/TmciLoad") == Texts{"save/Const:0", "save/names:0", "save/slices:0"});
  CHECK(made.attribute("save/TmciLoad", "dtypes").types.size() == 2);
  CHECK(made.attribute("save/TmciLoad", "_output_shapes").shapes.size() == 2);
  CHECK(made.inputs("save/control_dependency") == Texts{"save/Const:0", "^save/TmciSave"});
  CHECK(made.inputs("save/Assign") == Texts{"a:0", "save/TmciLoad:0"});
  CHECK(made.inputs("save/Identity") == Texts{"save/TmciLoad:1"});
  CHECK(made.plan.report.notices.empty());
}

TEST_CASE("Every saver of a graph is replaced", "[checkpoint_ops]") {
  std::string second = kPlainSaver.substr(kPlainSaver.find("    save/filename/input"));
  for (std::size_t at = 0; (at = second.find("save/", at)) != std::string::npos; at += 7) {
    second.replace(at, 5, "save_1/");
  }
  const auto made = rewrite_savers(kPlainSaver + second);
  REQUIRE(made.plan.report.savers.size() == 2);
  CHECK(made.plan.report.savers[1].name == "save_1");
  CHECK(made.inputs("save_1/TmciSave").front() == "save_1/Const:0");
  CHECK(made.inputs("save_1/Assign") == Texts{"a:0", "save_1/TmciLoad:0"});
}

TEST_CASE("An op that restores what is there already stays", "[checkpoint_ops]") {
  const auto made = rewrite_savers(kPlainSaver + R"(
    warm/prefix = Const() str[]
    warm/RestoreV2 = RestoreV2(warm/prefix, save/names, save/slices) f32[2] +dtypes=(f32)
  )");
  CHECK(made.has("warm/RestoreV2"));
  REQUIRE(made.plan.report.notices.size() == 1);
  CHECK_THAT(made.plan.report.notices[0],
             Contains("'warm/RestoreV2' (RestoreV2) stays: its prefix 'warm/prefix:0'"));
}

TEST_CASE("A filename that a SaverDef names needs no counterpart", "[checkpoint_ops]") {
  const std::string half = kPlainSaver.substr(0, kPlainSaver.find("    save/RestoreV2"));
  CHECK(test::refused_savers(half).code == Code::kNotFound);
  const auto made = rewrite_savers(half, test::collections_of({"save/Const:0"}));
  CHECK(made.has("save/TmciSave"));
  REQUIRE(made.plan.report.savers.size() == 1);
  CHECK(made.plan.report.savers[0].restores.empty());
}

TEST_CASE("Names that are taken are avoided", "[checkpoint_ops]") {
  const auto made = rewrite_savers(kPlainSaver + "save/TmciSave = NoOp()\n");
  CHECK(made.graph.type(test::op(made.graph, "save/TmciSave")) == "NoOp");
  CHECK(made.inputs("save/control_dependency") == Texts{"save/Const:0", "^save/TmciSave_1"});
}

TEST_CASE("Whoever waits or is waited for keeps doing so", "[checkpoint_ops]") {
  std::string text = test::changed(kPlainSaver, "a, r/Read) +dtypes", "a, r/Read, ^fence) +dtypes");
  text = test::changed(text, "save/names, save/slices) f32[2]",
                       "save/names, save/slices, ^save/SaveV2) f32[2]");
  const auto made = rewrite_savers(text + R"(
    fence = NoOp()
    done = NoOp(^save/RestoreV2, ^fence, ^save/SaveV2)
  )");
  CHECK(made.inputs("save/TmciSave").back() == "^fence");
  CHECK(made.inputs("save/TmciLoad").back() == "^save/TmciSave");
  CHECK(made.inputs("done") == Texts{"^fence", "^save/TmciLoad", "^save/TmciSave"});
}

TEST_CASE("A restored tensor that is saved again comes from the new op", "[checkpoint_ops]") {
  const auto made =
      rewrite_savers(test::changed(kPlainSaver, "a, r/Read)", "save/RestoreV2, r/Read)"));
  CHECK(made.inputs("save/TmciSave")[3] == "save/TmciLoad:0");
}

TEST_CASE("Devices and places are kept, also of ops that name a replaced one", "[checkpoint_ops]") {
  std::string text =
      test::changed(kPlainSaver, "+dtypes=(f32,f32) +_kept=7",
                    "@/cpu:0 +dtypes=(f32,f32) +_class=('loc:@a','loc:@save/RestoreV2')");
  const auto made = rewrite_savers(text + R"(
    near = Identity(a) f32[2] +_class=('loc:@save/SaveV2','loc:@r')
  )");
  CHECK(made.graph.device(test::op(made.graph, "save/TmciSave")) == "/cpu:0");
  CHECK(made.attribute("save/TmciSave", "_class").strings == Texts{"loc:@a", "loc:@save/TmciLoad"});
  CHECK(made.attribute("near", "_class").strings == Texts{"loc:@save/TmciSave", "loc:@r"});
}

TEST_CASE("The report pairs what saves with what restores", "[checkpoint_ops]") {
  auto made = rewrite_savers(kPlainSaver);
  nlohmann::ordered_json json;
  const checkpoint_ops::SaverReport report(made.plan.report);
  report.add_json(made.original.graph, made.plan.edit, nullptr, json);
  CHECK(report.kind() == "checkpoint");
  CHECK(json["replaced"].dump() ==
        R"([{"saver":"save","filename":"save/Const:0","save_op":"save/SaveV2",)"
        R"("saved_by":"save/TmciSave","restore_op":"save/RestoreV2",)"
        R"("restored_by":"save/TmciLoad"}])");
  CHECK(json["tensors"].is_array());
  const Texts lines = report.lines(made.original.graph, made.plan.edit);
  REQUIRE(lines.size() == 4);
  CHECK(lines[1] == "  save/TmciSave saves 2 tensors instead of save/SaveV2");
}

}  // namespace
}  // namespace tideline
