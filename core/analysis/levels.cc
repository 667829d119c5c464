// Problem: the level of an op is the length of the longest chain of ops before it. The reference
// repeatedly removes all ready ops from a dictionary, which costs O(ops x levels): 22 s for
// 10,000 ops.
// Idea: the recurrence level(op) = 1 + max level(inputs) only requires that inputs come first.
// TensorFlow nearly always writes files in that order, so one sweep over the file determines almost
// all levels without successor lists or counters. The remaining ops (listed before one of their
// inputs, or depending on such an op) are processed by an ordinary topological sort.
//   a = Const, b = Relu(a), c = Add(a, b)      levels 0 1 2 by the sweep
//   c = Add(a, b), a = Const, b = Relu(a)      a, b by the sweep, c afterwards
// Both ways give no level to ops that depend on an op which never gets one.
// Cost: O(ops + edges). Limits: levels are 32-bit.
// Source: longest-path layering, Kahn 1962; the rules of the compatible map: TFLMS v2, topos.py.
// Tested by unit/analysis/levels_test.cc against a slow oracle, and by the oracles of the
// reference.
#include "core/analysis/levels.h"

#include <algorithm>
#include <utility>

#include "core/analysis/while_names.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

constexpr std::int32_t kPending = -2;

// The rules of the compatible map, per op and per edge.
class LoopRules {
 public:
  LoopRules(const Graph& graph, const WhileNames& names) : graph_(graph), names_(names) {
    for (const std::string_view type : graph.types()) {
      enters_.push_back(type == "Enter" || type == "Merge" || type == "Switch" || type == "Exit");
      is_merge_.push_back(type == "Merge");
      is_switch_.push_back(type == "Switch");
      is_next_iteration_.push_back(type == "NextIteration");
      is_loop_condition_.push_back(type == "LoopCond");
    }
  }
  [[nodiscard]] bool skips(OpId op) const {
    return !enters_[graph_.type_id(op)] && names_.in_loop(op);
  }
  [[nodiscard]] bool counts(OpId producer, OpId op) const {
    const std::uint32_t from = graph_.type_id(producer);
    const std::uint32_t to = graph_.type_id(op);
    const bool loop_edge =
        (is_merge_[to] && is_next_iteration_[from]) || (is_switch_[to] && is_loop_condition_[from]);
    return !loop_edge || !names_.in_loop(op);
  }

 private:
  const Graph& graph_;
  WhileNames names_;
  std::vector<bool> enters_, is_merge_, is_switch_, is_next_iteration_, is_loop_condition_;
};

// Every op has a level, back edges do not count.
class CompleteRules {
 public:
  explicit CompleteRules(const Graph& graph) : graph_(graph), loops_(graph) {}
  [[nodiscard]] bool skips(OpId) const { return false; }
  [[nodiscard]] bool counts(OpId producer, OpId op) const {
    return !loops_.is_back_edge(graph_, producer, op);
  }

 private:
  const Graph& graph_;
  LoopTypes loops_;
};

template <typename Rules>
class Leveller {
 public:
  Leveller(const Graph& graph, Rules rules)
      : graph_(graph), rules_(std::move(rules)), level_(graph.op_count(), kPending) {}

  std::vector<std::int32_t> run() {
    std::vector<OpId> pending;
    for (const OpId op : graph_.ops()) {
      level_[op.index()] = rules_.skips(op) ? kNoLevel : from_inputs(op);
      if (level_[op.index()] == kPending) pending.push_back(op);
    }
    if (!pending.empty()) peel(pending);
    return std::move(level_);
  }

 private:
  template <typename Visit>
  void for_each_input(OpId op, const Visit& visit) const {
    for (const TensorId input : graph_.inputs(op)) {
      if (rules_.counts(input.op, op)) visit(input.op);
    }
    for (const OpId input : graph_.control_inputs(op)) {
      if (rules_.counts(input, op)) visit(input);
    }
  }

  // 1 + the highest level of the inputs; kNoLevel when one has none, else kPending when one waits.
  [[nodiscard]] std::int32_t from_inputs(OpId op) const {
    std::int32_t highest = -1;
    bool waits = false;
    bool never = false;
    for_each_input(op, [&](OpId input) {
      const std::int32_t level = level_[input.index()];
      waits = waits || level == kPending;
      never = never || level == kNoLevel;
      highest = std::max(highest, level);
    });
    if (never) return kNoLevel;
    return waits ? kPending : highest + 1;
  }

  // Topological sort of the ops that the sweep left over. Ops that stay blocked have no level.
  void peel(const std::vector<OpId>& pending) {
    std::vector<std::pair<OpId, OpId>> edges;  // from pending to pending
    std::vector<std::uint32_t> waits(graph_.op_count());
    for (const OpId op : pending) {
      for_each_input(op, [&](OpId input) {
        if (level_[input.index()] != kPending) return;
        edges.emplace_back(input, op);
        ++waits[op.index()];
      });
    }
    std::sort(edges.begin(), edges.end());
    std::vector<OpId> ready;
    for (const OpId op : pending) {
      if (waits[op.index()] == 0) ready.push_back(op);
    }
    while (!ready.empty()) {
      const OpId op = ready.back();
      ready.pop_back();
      level_[op.index()] = from_inputs(op);
      auto edge = std::lower_bound(edges.begin(), edges.end(), std::pair(op, OpId{0}));
      for (; edge != edges.end() && edge->first == op; ++edge) {
        if (--waits[edge->second.index()] == 0) ready.push_back(edge->second);
      }
    }
    for (const OpId op : pending) {
      if (level_[op.index()] == kPending) level_[op.index()] = kNoLevel;
    }
  }

  const Graph& graph_;
  Rules rules_;
  std::vector<std::int32_t> level_;
};

}  // namespace

LevelMap::LevelMap(std::vector<std::int32_t> level_of) : level_of_(std::move(level_of)) {
  std::int32_t highest = -1;
  for (const std::int32_t level : level_of_) highest = std::max(highest, level);
  first_.assign(static_cast<std::size_t>(highest) + 2, 0);
  for (const std::int32_t level : level_of_) {
    if (level == kNoLevel) {
      ++without_level_;
    } else {
      ++first_[static_cast<std::size_t>(level) + 1];
    }
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  by_level_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t op = 0; op < level_of_.size(); ++op) {
    if (level_of_[op] != kNoLevel) {
      by_level_[next[static_cast<std::size_t>(level_of_[op])]++] = OpId{op};
    }
  }
}

std::span<const OpId> LevelMap::ops(std::int32_t level) const {
  if (level < 0 || level >= count()) return {};
  const auto at = static_cast<std::size_t>(level);
  return {by_level_.data() + first_[at], first_[at + 1] - first_[at]};
}

LevelMap complete_levels(const Graph& graph) {
  return LevelMap(Leveller(graph, CompleteRules(graph)).run());
}

LevelMap compatible_levels(const Graph& graph) {
  return compatible_levels(graph, WhileNames(graph));
}

LevelMap compatible_levels(const Graph& graph, const WhileNames& names) {
  return LevelMap(Leveller(graph, LoopRules(graph, names)).run());
}

}  // namespace tideline
