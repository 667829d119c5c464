// Savers whose shards TensorFlow merges.
#include <catch2/catch.hpp>

#include "tests/unit/rewrite/checkpoint/saver_text.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;
using test::kShardedSaver;
using test::rewrite_savers;
using Texts = std::vector<std::string>;

TEST_CASE("One op saves all shards under the final prefix", "[checkpoint_ops]") {
  const auto made = rewrite_savers(kShardedSaver);
  CHECK(made.inputs("save/TmciSave") == Texts{"save/Const:0", "save/TmciSave/tensor_names:0",
                                              "save/TmciSave/shape_and_slices:0", "a:0", "b:0"});
  CHECK(made.inputs("save/TmciSave/tensor_names") ==
        Texts{"save/names:0", "save/names_1:0", "save/TmciSave/axis:0"});
  CHECK(made.inputs("save/TmciSave/shape_and_slices") ==
        Texts{"save/slices:0", "save/slices_1:0", "save/TmciSave/axis:0"});
  CHECK(made.attribute("save/TmciSave", "T").types ==
        std::vector{DataType::kFloat, DataType::kInt32});
  CHECK(made.graph.device(test::op(made.graph, "save/TmciSave")) == "/cpu:1");
  CHECK(made.inputs("save/Identity") == Texts{"save/Const:0", "^save/TmciSave"});
  CHECK(made.inputs("save/Assign_1") == Texts{"b:0", "save/TmciLoad_1:0"});
  REQUIRE(made.plan.report.notices.size() == 1);
  CHECK_THAT(made.plan.report.notices[0], Contains("'save/TmciSave' saves on '/cpu:1'"));
}

TEST_CASE("What served the merge alone is removed, and nothing else", "[checkpoint_ops]") {
  const auto made = rewrite_savers(kShardedSaver);
  const Texts gone = {"save/IsRemote",
                      "save/Const_1",
                      "save/Const_2",
                      "save/Select",
                      "save/StringJoin",
                      "save/num_shards",
                      "save/ShardedFilename/shard",
                      "save/ShardedFilename",
                      "save/SaveV2",
                      "save/control_dependency",
                      "save/ShardedFilename_1/shard",
                      "save/ShardedFilename_1",
                      "save/SaveV2_1",
                      "save/control_dependency_1",
                      "save/prefixes",
                      "save/MergeV2Checkpoints",
                      "save/RestoreV2",
                      "save/RestoreV2_1"};
  CHECK(made.removed() == gone);
}

TEST_CASE("What somebody still reads or names stays, with what it reads", "[checkpoint_ops]") {
  const auto made = rewrite_savers(kShardedSaver + R"(
    log = Identity(save/control_dependency) str[]
    late = NoOp(^save/prefixes)
    early = NoOp(^save/Select)
  )");
  CHECK(made.inputs("save/control_dependency") ==
        Texts{"save/ShardedFilename:0", "^save/TmciSave"});
  CHECK(made.has("save/ShardedFilename/shard"));
  CHECK(made.has("save/num_shards"));
  CHECK_FALSE(made.has("save/ShardedFilename_1"));
  CHECK(made.inputs("late") == Texts{"^save/TmciSave"});
  CHECK(made.inputs("early") == Texts{"^save/Select"});

  Collections collections;
  collections.names["shards"] = {"save/ShardedFilename_1:0"};
  const auto named = rewrite_savers(kShardedSaver, collections);
  CHECK(named.has("save/ShardedFilename_1"));
  CHECK(named.has("save/StringJoin"));
  CHECK_FALSE(named.has("save/ShardedFilename"));
}

TEST_CASE("An op placed with a part of the merge keeps that part", "[checkpoint_ops]") {
  const auto made =
      rewrite_savers(kShardedSaver + "near = Identity(a) f32[2] +_class=('loc:@save/Select')\n");
  CHECK(made.has("save/Select"));
  CHECK(made.has("save/IsRemote"));
  CHECK_FALSE(made.has("save/StringJoin"));
}

TEST_CASE("The new op waits for what shards, merge and all between waited for",
          "[checkpoint_ops]") {
  std::string text = kShardedSaver + "f1 = NoOp()\nf2 = NoOp()\nf3 = NoOp()\nf4 = NoOp()\n";
  text = test::changed(text, "save/slices_1, b)", "save/slices_1, b, ^f1)");
  text = test::changed(text, "(save/ShardedFilename, ^save/SaveV2)",
                       "(save/ShardedFilename, ^save/SaveV2, ^f2)");
  text = test::changed(text, "(save/prefixes, save/Const)", "(save/prefixes, save/Const, ^f3)");
  text = test::changed(text, "(save/Const, save/Select)", "(save/Const, save/Select, ^f4)");
  const Texts inputs = rewrite_savers(text).inputs("save/TmciSave");
  CHECK(Texts(inputs.begin() + 5, inputs.end()) == Texts{"^f1", "^f3", "^f4", "^f2"});
}

TEST_CASE("A saver with one shard needs no joined lists", "[checkpoint_ops]") {
  std::string text = kShardedSaver;
  text = test::changed(text, "Pack(save/ShardedFilename, save/ShardedFilename_1, ",
                       "Pack(save/ShardedFilename, ");
  // Its second shard then is a save of its own, under its own prefix.
  const auto made = rewrite_savers(text);
  CHECK(made.inputs("save/TmciSave") == Texts{"save/Const:0", "save/names:0", "save/slices:0",
                                              "a:0", "^save/control_dependency_1"});
  CHECK(made.inputs("save/TmciSave_1").front() == "save/ShardedFilename_1:0");
}

TEST_CASE("Shards that are merged otherwise are refused", "[checkpoint_ops]") {
  CHECK_THAT(test::refused_savers(
                 test::changed(kShardedSaver, "save/prefixes = Pack(", "save/prefixes = ConcatV2("))
                 .message,
             Contains("'save/MergeV2Checkpoints' (MergeV2Checkpoints) merges the prefixes of "
                      "'save/prefixes' (ConcatV2); expected a Pack"));
  CHECK_THAT(test::refused_savers(test::changed(kShardedSaver,
                                                "Pack(save/ShardedFilename, save/ShardedFilename_1",
                                                "Pack(save/ShardedFilename, save/StringJoin"))
                 .message,
             Contains("saved under save/StringJoin:0, which 0 SaveV2 ops do; expected one"));
  CHECK_THAT(test::refused_savers(test::changed(kShardedSaver,
                                                "Pack(save/ShardedFilename, save/ShardedFilename_1",
                                                "Pack(save/ShardedFilename, save/ShardedFilename"))
                 .message,
             Contains("'save/SaveV2' (SaveV2) is merged twice"));
}

}  // namespace
}  // namespace tideline
