// Graphs without a saver that could be replaced, each refused with the op and the rule.
#include <catch2/catch.hpp>

#include "core/io/functions.h"
#include "tests/unit/rewrite/checkpoint/saver_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using test::changed;
using test::collections_of;
using test::kPlainSaver;
using test::refused_savers;

TEST_CASE("A graph without a saver is refused", "[checkpoint_ops]") {
  const Error error = refused_savers("a = VariableV2() f32[2]\n");
  CHECK(error.code == Code::kNotFound);
  CHECK_THAT(error.message, Contains("the graph has no saver; expected SaveV2 and RestoreV2"));
  const Error only = refused_savers(R"(
    prefix = Const() str[]
    names = Const() str[1]
    restored = RestoreV2(prefix, names, names) f32[2] +dtypes=(f32)
  )");
  CHECK_THAT(only.message, Contains("op 'restored' (RestoreV2) is of no saver: under its prefix "
                                    "'prefix:0' the graph only restores"));
}

TEST_CASE("A saver of format V1 is refused", "[checkpoint_ops]") {
  const std::string text =
      changed(kPlainSaver, "save/SaveV2 = SaveV2(", "save/SaveV2 = SaveSlices(");
  const Error error = refused_savers(text);
  CHECK(error.code == Code::kUnsupported);
  CHECK_THAT(error.message, Contains("'save/SaveV2' (SaveSlices) is of a saver of format V1"));
  const std::string restore =
      changed(kPlainSaver, "save/RestoreV2 = RestoreV2(", "save/RestoreV2 = RestoreSlice(");
  CHECK_THAT(refused_savers(restore).message, Contains("(RestoreSlice) is of a saver"));
}

TEST_CASE("A graph is rewritten once", "[checkpoint_ops]") {
  auto made = test::rewrite_savers(kPlainSaver);
  const auto again = plan_checkpoint(made.graph, {}, nullptr, test::to_file());
  REQUIRE_FALSE(again);
  CHECK_THAT(again.error().message,
             Contains("'save/TmciSave' (TmciSave) uses a checkpoint backend already"));
}

TEST_CASE("A SaverDef that names what is not there is refused", "[checkpoint_ops]") {
  CHECK_THAT(refused_savers(kPlainSaver, collections_of({"gone/Const:0"})).message,
             Contains("SaverDef names the filename 'gone/Const:0', which is not in the graph"));
}

TEST_CASE("An op that a collection names is not replaced", "[checkpoint_ops]") {
  Collections collections;
  collections.names["my_ops"] = {"a", "save/SaveV2"};
  CHECK_THAT(refused_savers(kPlainSaver, collections).message,
             Contains("op 'save/SaveV2' (SaveV2) would be replaced, but the collection 'my_ops'"));
}

TEST_CASE("Ops that are not formed as TensorFlow requires are refused", "[checkpoint_ops]") {
  CHECK_THAT(refused_savers(changed(kPlainSaver, "SaveV2(save/Const, save/names, save/slices, a, ",
                                    "SaveV2(save/Const, save/names, save/slices, "))
                 .message,
             Contains("op 'save/SaveV2' (SaveV2) has 4 inputs; expected 5"));
  CHECK_THAT(refused_savers(changed(kPlainSaver, "RestoreV2(save/Const, save/names, save/slices)",
                                    "RestoreV2(save/Const, save/names)"))
                 .message,
             Contains("op 'save/RestoreV2' (RestoreV2) has 2 inputs; expected at least 3"));
  CHECK_THAT(refused_savers(changed(kPlainSaver, "f32[3] +dtypes=(f32,f32)", "f32[3]")).message,
             Contains("op 'save/RestoreV2' (RestoreV2): attribute 'dtypes' lists no types"));
}

}  // namespace
}  // namespace tideline
