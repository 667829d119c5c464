// Savers as text, as TensorFlow builds them, rewritten.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/graph/graph_edit.h"
#include "core/graph/saver_names.h"
#include "core/rewrite/checkpoint/checkpoint.h"
#include "tests/support/graph_text.h"

namespace tideline::test {

/// Two variables, and a saver that writes one file.
inline const std::string kPlainSaver = R"(
    a = VariableV2() f32[2] +dtype=f32
    r = VarHandleOp() res[] +dtype=f32
    r/Read = ReadVariableOp(r) f32[3] +dtype=f32
    save/filename/input = Const() str[] +dtype=str
    save/filename = PlaceholderWithDefault(save/filename/input) str[] +dtype=str
    save/Const = PlaceholderWithDefault(save/filename) str[] +dtype=str
    save/names = Const() str[2]
    save/slices = Const() str[2]
    save/SaveV2 = SaveV2(save/Const, save/names, save/slices, a, r/Read) +dtypes=(f32,f32) +_kept=7
    save/control_dependency = Identity(save/Const, ^save/SaveV2) str[] +_class=('loc:@save/Const')
    save/RestoreV2 = RestoreV2(save/Const, save/names, save/slices) f32[2] f32[3] +dtypes=(f32,f32)
    save/Assign = Assign(a, save/RestoreV2) f32[2] +_class=('loc:@a')
    save/Identity = Identity(save/RestoreV2:1) f32[3]
    save/AssignVariableOp = AssignVariableOp(r, save/Identity) +dtype=f32
    save/restore_all = NoOp(^save/Assign, ^save/AssignVariableOp)
)";

/// The same variables, each on a device of its own, and a saver with a shard for each device.
inline const std::string kShardedSaver = R"(
    a = VariableV2() @/cpu:0 f32[2] +dtype=f32
    b = VariableV2() @/cpu:1 f32[3] +dtype=i32
    save/Const = PlaceholderWithDefault(save/default) str[] +dtype=str
    save/default = Const() str[]
    save/IsRemote = StaticRegexFullMatch(save/Const) bool[] +pattern='^s3://.*'
    save/Const_1 = Const() str[]
    save/Const_2 = Const() str[]
    save/Select = Select(save/IsRemote, save/Const_1, save/Const_2) str[]
    save/StringJoin = StringJoin(save/Const, save/Select) str[] +N=2
    save/num_shards = Const() i32[]
    save/ShardedFilename/shard = Const() @/cpu:0 i32[]
    save/ShardedFilename = ShardedFilename(save/StringJoin, save/ShardedFilename/shard, save/num_shards) @/cpu:0
    save/names = Const() @/cpu:0 str[1]
    save/slices = Const() @/cpu:0 str[1]
    save/SaveV2 = SaveV2(save/ShardedFilename, save/names, save/slices, a) @/cpu:0 +dtypes=(f32)
    save/control_dependency = Identity(save/ShardedFilename, ^save/SaveV2) @/cpu:0 str[] +_class=('loc:@save/ShardedFilename')
    save/ShardedFilename_1/shard = Const() @/cpu:1 i32[]
    save/ShardedFilename_1 = ShardedFilename(save/StringJoin, save/ShardedFilename_1/shard, save/num_shards) @/cpu:1
    save/names_1 = Const() @/cpu:1 str[1]
    save/slices_1 = Const() @/cpu:1 str[1]
    save/SaveV2_1 = SaveV2(save/ShardedFilename_1, save/names_1, save/slices_1, b) @/cpu:1 +dtypes=(i32)
    save/control_dependency_1 = Identity(save/ShardedFilename_1, ^save/SaveV2_1) @/cpu:1 str[] +_class=('loc:@save/ShardedFilename_1')
    save/prefixes = Pack(save/ShardedFilename, save/ShardedFilename_1, ^save/control_dependency, ^save/control_dependency_1) @/cpu:1 str[2] +N=2 +axis=0
    save/MergeV2Checkpoints = MergeV2Checkpoints(save/prefixes, save/Const) @/cpu:1 +delete_old_dirs=true
    save/Identity = Identity(save/Const, ^save/MergeV2Checkpoints, ^save/control_dependency, ^save/control_dependency_1) @/cpu:1 str[]
    save/RestoreV2 = RestoreV2(save/Const, save/names, save/slices) @/cpu:0 f32[2] +dtypes=(f32)
    save/Assign = Assign(a, save/RestoreV2) @/cpu:0 f32[2]
    save/restore_shard = NoOp(^save/Assign) @/cpu:0
    save/RestoreV2_1 = RestoreV2(save/Const, save/names_1, save/slices_1) @/cpu:1 i32[3] +dtypes=(i32)
    save/Assign_1 = Assign(b, save/RestoreV2_1) @/cpu:1 i32[3]
    save/restore_shard_1 = NoOp(^save/Assign_1) @/cpu:1
    save/restore_all = NoOp(^save/restore_shard, ^save/restore_shard_1)
)";

inline CheckpointOptions to_file() {
  return {"file", R"({"async": true})"};
}

/// The plan and the graph that it gives; a plan that cannot be applied fails the test.
struct RewrittenSavers {
  io::Document original;
  CheckpointPlan plan;
  Graph graph;

  [[nodiscard]] bool has(const std::string& name) const { return graph.find(name).valid(); }
  /// As in a file, but with all slots: "a:0", "^b".
  [[nodiscard]] std::vector<std::string> inputs(const std::string& name) const {
    std::vector<std::string> texts;
    const OpId at = test::op(graph, name);
    for (const TensorId input : graph.inputs(at)) texts.push_back(graph.tensor_name(input));
    for (const OpId input : graph.control_inputs(at)) {
      texts.push_back("^" + std::string(graph.name(input)));
    }
    return texts;
  }
  [[nodiscard]] AttrValue attribute(const std::string& name, const std::string& key) const {
    const auto value = graph.attribute(test::op(graph, name), key);
    INFO(name << " " << key);
    REQUIRE(value);
    REQUIRE(*value);
    return **value;
  }
  [[nodiscard]] std::vector<std::string> removed() const {
    std::vector<std::string> names;
    for (const OpId op : plan.edit.removed) names.emplace_back(original.graph.name(op));
    return names;
  }
};

inline Collections collections_of(const std::vector<std::string>& filenames) {
  Collections collections;
  if (!filenames.empty()) collections.names[kSaverFilenames] = filenames;
  return collections;
}

inline RewrittenSavers rewrite_savers(const std::string& text,
                                      const Collections& collections = {}) {
  io::Document original = read_graph(text);
  auto plan = plan_checkpoint(original.graph, collections, nullptr, to_file());
  if (!plan) FAIL(plan.error().message);
  auto graph = apply(original.graph, plan->edit);
  if (!graph) FAIL(graph.error().message);
  return {std::move(original), *std::move(plan), *std::move(graph)};
}

inline Error refused_savers(const std::string& text, const Collections& collections = {}) {
  const io::Document original = read_graph(text);
  const auto plan = plan_checkpoint(original.graph, collections, nullptr, to_file());
  REQUIRE_FALSE(plan);
  return plan.error();
}

/// `text` with `from`, which must be in it, replaced by `to`.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace tideline::test
