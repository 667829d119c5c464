// Problem: a control edge from an op that does not run does not just come late; it makes its target
// dead as well. A swap-in that waits for an op inside a branch is skipped when that branch is not
// taken, and everything downstream is silently left out of the step.
// Idea: visit the ops by level and keep for each the set of branches it depends on: the union over
// its inputs. A Switch adds its own branch to each output; a Merge needs only one of its inputs, so
// it depends on what all of them have in common. There are few distinct sets, so they are interned.
//   p decides s = Switch(x, p); a = Relu(s:1) depends on (p, 1); b = Relu(s:0) on (p, 0);
//   m = Merge(a, b) on neither.
// Limits: predicates are identified by the op that computes them (traced through Identity), not by
// value. Source: the executor's rules for dead tensors (TensorFlow white paper, control flow).
// Tested by unit/analysis/conditions_test.cc and by training on TensorFlow.
#include "core/analysis/conditions.h"

#include <algorithm>
#include <iterator>

#include "core/analysis/levels.h"
#include "core/graph/op_types.h"
#include "core/graph/walks.h"

namespace tideline {
namespace {

// A predicate traced back to the op that computes it.
TensorId seen_through(const Graph& graph, TensorId tensor) {
  return source_of_value(graph, tensor, graph.op_count(),
                         [&](OpId op) { return graph.type(op) == "Identity"; });
}

}  // namespace

Conditions::Conditions(const Graph& graph) : graph_(&graph), sets_(kReservedSets) {
  ids_.emplace(BranchSet{}, kEmpty);
  bool any_switch = false;
  for (const std::string_view type : graph.types()) {
    is_switch_.push_back(type == "Switch" || type == "RefSwitch");
    is_merge_.push_back(is_merge(type));
    any_switch = any_switch || is_switch_.back();
  }
  of_op_.resize(graph.op_count());
  if (!any_switch) return;
  for (auto& side : sides_) side.resize(graph.op_count());
  const LevelMap levels = complete_levels(graph);
  for (std::int32_t level = 0; level < levels.count(); ++level) {
    for (const OpId op : levels.ops(level)) settle(op);
  }
}

void Conditions::settle(OpId op) {
  const Graph& graph = *graph_;
  const auto inputs = graph.inputs(op);
  BranchSetId hangs_on = kEmpty;
  if (is_merge_[graph.type_id(op)]) {
    bool first = true;
    for (const TensorId input : inputs) {
      if (is_next_iteration(graph.type(input.op))) continue;
      hangs_on = first ? of(input) : common(hangs_on, of(input));
      first = false;
    }
  } else {
    for (const TensorId input : inputs) hangs_on = united(hangs_on, of(input));
  }
  for (const OpId input : graph.control_inputs(op)) hangs_on = united(hangs_on, of(input));
  of_op_[op.index()] = hangs_on;
  if (is_switch_[graph.type_id(op)] && inputs.size() >= 2) {
    sides_[0][op.index()] = with_side(op, hangs_on, 0);
    sides_[1][op.index()] = with_side(op, hangs_on, 1);
  }
}

std::optional<TensorId> Conditions::predicate_of(OpId op) const {
  if (!is_switch_[graph_->type_id(op)] || graph_->inputs(op).size() < 2) return std::nullopt;
  // A Switch with a LoopCond as predicate belongs to a loop and not to a conditional.
  const TensorId predicate = seen_through(*graph_, graph_->inputs(op)[1]);
  if (graph_->type(predicate.op) == "LoopCond") return std::nullopt;
  return predicate;
}

BranchSetId Conditions::with_side(OpId op, BranchSetId base, std::uint32_t side) {
  const auto predicate = predicate_of(op);
  if (base == kTooLarge || !predicate) return base;
  BranchSet with = set(base);
  with.push_back({*predicate, side});
  std::sort(with.begin(), with.end());
  with.erase(std::unique(with.begin(), with.end()), with.end());
  return intern(std::move(with));
}

BranchSetId Conditions::intern(BranchSet set) {
  constexpr std::size_t kMostBranches = 64;  // far above the nesting of real graphs
  if (set.size() > kMostBranches) return kTooLarge;
  const BranchSetId next{static_cast<std::uint32_t>(sets_.size())};
  const auto [entry, added] = ids_.emplace(std::move(set), next);
  if (added) sets_.push_back(entry->first);
  return entry->second;
}

BranchSetId Conditions::united(BranchSetId a, BranchSetId b) {
  if (a == kTooLarge || b == kTooLarge) return kTooLarge;
  if (runs_with(b, a)) return a;
  if (runs_with(a, b)) return b;
  BranchSet all;
  std::set_union(set(a).begin(), set(a).end(), set(b).begin(), set(b).end(),
                 std::back_inserter(all));
  return intern(std::move(all));
}

BranchSetId Conditions::common(BranchSetId a, BranchSetId b) {
  if (a == kTooLarge || b == kTooLarge) return kTooLarge;
  if (a == b) return a;
  BranchSet shared;
  std::set_intersection(set(a).begin(), set(a).end(), set(b).begin(), set(b).end(),
                        std::back_inserter(shared));
  return intern(std::move(shared));
}

BranchSetId Conditions::of(TensorId tensor) const {
  const bool has_sides = is_switch_[graph_->type_id(tensor.op)] && !sides_[0].empty() &&
                         graph_->inputs(tensor.op).size() >= 2 && tensor.slot < sides_.size();
  return has_sides ? sides_.at(tensor.slot)[tensor.op.index()] : of(tensor.op);
}

bool Conditions::runs_with(BranchSetId first, BranchSetId second) const {
  if (first == kEmpty) return true;
  if (first == kTooLarge || second == kTooLarge) return false;
  return first == second || std::includes(set(second).begin(), set(second).end(),
                                          set(first).begin(), set(first).end());
}

}  // namespace tideline
