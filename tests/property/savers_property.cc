// Random savers, plain and in shards, with ops before, between and behind theirs: what is saved
// under which prefix, what is restored, and what runs before what, is the same after the rewrite.
// Values are symbols: every op computes some function of its type and its inputs.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "core/graph/graph_edit.h"
#include "core/rewrite/checkpoint/checkpoint.h"
#include "tests/support/graph_text.h"

namespace tideline {
namespace {

using Symbols = std::vector<std::string>;

class RandomSavers {
 public:
  explicit RandomSavers(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    for (int i = 0; i < 4; ++i) add(fmt::format("v{} = VariableV2() f32[{}] +dtype=f32", i, i + 1));
    for (int i = 0; i < 3; ++i) add(fmt::format("fence{} = NoOp()", i));
    for (int i = 1 + below(3); i > 0; --i) add_saver(fmt::format("s{}", i));
    for (int i = below(5); i > 0; --i) {
      add(fmt::format("late{} = Identity({}) str[]", i, any(texts_)));
    }
    for (int i = below(6); i > 0; --i) {
      add(fmt::format("behind{} = NoOp(^{}, ^{})", i, any(ops_), any(ops_)));
    }
    return text_;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  const std::string& any(const Symbols& names) {
    return names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
  }
  void add(const std::string& line) { text_ += line + "\n"; }
  std::string fence() { return below(4) == 0 ? fmt::format(", ^fence{}", below(3)) : ""; }
  void add_text(const std::string& name, const std::string& rest) {
    add(name + " = " + rest);
    texts_.push_back(name);
    ops_.push_back(name);
  }

  // The constants of a save or restore of some variables, and how it reads them.
  std::pair<std::string, std::string> lists(const std::string& op) {
    std::string variables;
    std::string types;
    for (int i = 1 + below(3); i > 0; --i) {
      variables += fmt::format(", v{}", below(4));
      types += types.empty() ? "f32" : ",f32";
    }
    add(op + "/names = Const() str[?]");
    add(op + "/slices = Const() str[?]");
    return {fmt::format("{}/names, {}/slices{}", op, op, variables), types};
  }
  void add_save(const std::string& name, const std::string& prefix) {
    const auto [inputs, types] = lists(name);
    add(fmt::format("{} = SaveV2({}, {}{}) +dtypes=({})", name, prefix, inputs, fence(), types));
    ops_.push_back(name);
  }
  void add_restore(const std::string& name, const std::string& prefix) {
    add(name + "/names = Const() str[?]");
    add(name + "/slices = Const() str[?]");
    add(fmt::format("{} = RestoreV2({}, {}/names, {}/slices{}) +dtypes=(f32,f32)", name, prefix,
                    name, name, fence()));
    add(fmt::format("{}/Assign = Assign(v0, {}:{}) f32[?]", name, name, below(2)));
    ops_.push_back(name);
  }

  void add_saver(const std::string& scope) {
    add(scope + "/Const = PlaceholderWithDefault(" + scope + "/default) str[]");
    add(scope + "/default = Const() str[]");
    if (below(2) == 0) {
      add_save(scope + "/SaveV2", scope + "/Const");
      add_text(scope + "/Identity",
               fmt::format("Identity({}/Const, ^{}/SaveV2) str[]", scope, scope));
      add_restore(scope + "/RestoreV2", scope + "/Const");
      return;
    }
    add(scope + "/suffix = Const() str[]");
    add_text(scope + "/StringJoin",
             fmt::format("StringJoin({}/Const, {}/suffix{}) str[] +N=2", scope, scope, fence()));
    std::string prefixes;
    std::string waits;
    const int shards = 1 + below(4);
    for (int i = 0; i < shards; ++i) {
      add(fmt::format("{}/shard{} = Const() i32[]", scope, i));
      add_text(fmt::format("{}/File{}", scope, i),
               fmt::format("ShardedFilename({}/StringJoin, {}/shard{}, {}/shard{}) str[]", scope,
                           scope, i, scope, i));
      add_save(fmt::format("{}/SaveV2_{}", scope, i), fmt::format("{}/File{}", scope, i));
      add_text(
          fmt::format("{}/done{}", scope, i),
          fmt::format("Identity({}/File{}, ^{}/SaveV2_{}{}) str[]", scope, i, scope, i, fence()));
      prefixes += fmt::format("{}/File{}, ", scope, i);
      waits += fmt::format(", ^{}/done{}", scope, i);
    }
    add_text(scope + "/Pack", fmt::format("Pack({}{}) str[{}] +N={}", prefixes,
                                          waits.substr(2) + fence(), shards, shards));
    add(fmt::format("{}/Merge = MergeV2Checkpoints({}/Pack, {}/Const{})", scope, scope, scope,
                    fence()));
    ops_.push_back(scope + "/Merge");
    add_text(scope + "/Identity",
             fmt::format("Identity({}/Const, ^{}/Merge{}) str[]", scope, scope, waits));
    for (int i = 0; i < shards; ++i) {
      add_restore(fmt::format("{}/RestoreV2_{}", scope, i), scope + "/Const");
    }
  }

  std::mt19937 random_;
  std::string text_;
  Symbols texts_;  // names of ops that give a text
  Symbols ops_;
};

// The values and effects of one graph.
class Meaning {
 public:
  explicit Meaning(const Graph& graph) : graph_(graph) {}

  std::string value(TensorId tensor) {
    const std::string_view type = graph_.type(tensor.op);
    std::string text(type == "TmciLoad" ? "RestoreV2" : type);
    if (graph_.inputs(tensor.op).empty()) text += "=" + std::string(graph_.name(tensor.op));
    for (const TensorId input : graph_.inputs(tensor.op)) text += "(" + value(input) + ")";
    return fmt::format("{}:{}", text, tensor.slot);
  }

  // By the checkpoint's prefix: names, slices and tensors in the order of saving.
  std::multimap<std::string, Symbols> saved() {
    std::multimap<std::string, Symbols> found;
    std::set<OpId> merged;
    for (const OpId op : graph_.ops()) {
      if (graph_.type(op) != "MergeV2Checkpoints") continue;
      Symbols names, slices, tensors;
      for (const TensorId file : graph_.inputs(graph_.inputs(op)[0].op)) {
        for (const OpId save : graph_.ops()) {
          if (graph_.type(save) != "SaveV2" || graph_.inputs(save)[0] != file) continue;
          merged.insert(save);
          add(save, names, slices, tensors);
        }
      }
      found.emplace(value(graph_.inputs(op)[1]), joined(names, slices, tensors));
    }
    for (const OpId op : graph_.ops()) {
      if ((graph_.type(op) != "SaveV2" && graph_.type(op) != "TmciSave") || merged.count(op) != 0) {
        continue;
      }
      Symbols names, slices, tensors;
      add(op, names, slices, tensors);
      found.emplace(value(graph_.inputs(op)[0]), joined(names, slices, tensors));
    }
    return found;
  }

  // Names of all ops that have run when `op` runs.
  std::set<std::string> before(OpId op) {
    std::set<std::string> names;
    std::vector<OpId> next = {op};
    while (!next.empty()) {
      const OpId at = next.back();
      next.pop_back();
      const auto visit = [&](OpId earlier) {
        if (names.insert(std::string(graph_.name(earlier))).second) next.push_back(earlier);
      };
      for (const TensorId input : graph_.inputs(at)) visit(input.op);
      for (const OpId input : graph_.control_inputs(at)) visit(input);
    }
    return names;
  }

 private:
  void add(OpId save, Symbols& names, Symbols& slices, Symbols& tensors) {
    const auto inputs = graph_.inputs(save);
    add_parts(inputs[1], names);
    add_parts(inputs[2], slices);
    for (const TensorId tensor : inputs.subspan(3)) tensors.push_back(value(tensor));
  }
  void add_parts(TensorId list, Symbols& parts) {
    const auto inputs = graph_.inputs(list.op);
    if (graph_.type(list.op) != "ConcatV2") {
      parts.push_back(value(list));
      return;
    }
    for (const TensorId part : inputs.first(inputs.size() - 1)) parts.push_back(value(part));
  }
  static Symbols joined(Symbols a, const Symbols& b, const Symbols& c) {
    a.insert(a.end(), b.begin(), b.end());
    a.insert(a.end(), c.begin(), c.end());
    return a;
  }

  const Graph& graph_;
};

TEST_CASE("Random savers save and restore the same, in the same order", "[property]") {
  std::int64_t removed = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    const std::string text = RandomSavers(seed).text();
    INFO("seed " << seed << "\n" << text);
    const io::Document original = test::read_graph(text);
    const auto plan = plan_checkpoint(original.graph, {}, nullptr, {"file", ""});
    if (!plan) FAIL(plan.error().message);
    const auto graph = apply(original.graph, plan->edit);
    if (!graph) FAIL(graph.error().message);
    Meaning before(original.graph);
    Meaning after(*graph);
    REQUIRE(before.saved() == after.saved());

    // The new op of each replaced one; what was replaced by one op ran in some order.
    std::map<std::string, std::set<std::string>> stands_for;
    for (const ReplacedSaver& saver : plan->report.savers) {
      for (const auto* list : {&saver.saves, &saver.restores}) {
        for (const ReplacedOp& op : *list) stands_for[op.by].insert(op.op);
      }
    }
    for (const OpId op : graph->ops()) {
      const std::string name(graph->name(op));
      const OpId old = original.graph.find(name);
      if (!old.valid()) continue;
      if (!original.graph.inputs(old).empty()) {
        REQUIRE(before.value({old, 0}) == after.value({op, 0}));
      }
      const std::set<std::string> was = before.before(old);
      const std::set<std::string> is = after.before(op);
      for (const auto& [by, ops] : stands_for) {
        const bool waited = std::any_of(ops.begin(), ops.end(),
                                        [&](const auto& one) { return was.count(one) != 0; });
        if (waited) REQUIRE(is.count(by) != 0);
      }
      for (const std::string& earlier : was) {
        if (graph->find(earlier).valid() && earlier.starts_with("fence")) {
          REQUIRE(is.count(earlier) != 0);
        }
      }
    }
    removed += static_cast<std::int64_t>(plan->edit.removed.size());
  }
  CHECK(removed > 4000);
}

}  // namespace
}  // namespace tideline
