// Tested by unit/rewrite/sections_test.cc.
#include "core/rewrite/sections/homes.h"

#include <algorithm>
#include <limits>

namespace tideline::sections {

Homes::Homes(const StepFacts& facts, const Membership& membership)
    : facts_(facts),
      membership_(membership),
      home_(facts.graph().op_count(), kNowhere),
      most_(facts.graph().op_count(), membership.count),
      least_(facts.graph().op_count(), 0) {
  for (const OpId op : facts.graph().ops()) {
    if (facts.in_step(op) && facts.runs_once(op)) once_.push_back(op);
  }
  join();
}

void Homes::join() {
  const Graph& graph = facts_.graph();
  group_.assign(graph.op_count(), OpId{});
  for (const OpId op : once_) group_[op.index()] = op;
  for (const OpId op : once_) {
    const auto inputs = graph.inputs(op);
    for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
      const OpId input = inputs[slot].op;
      if (!facts_.runs_once(input) || facts_.can_be_cut(inputs[slot], op, slot)) continue;
      const OpId from = group_of(input);
      group_[group_of(op).index()] = from;
    }
  }
}

OpId Homes::group_of(OpId op) {
  while (group_[op.index()] != op) {
    group_[op.index()] = group_[group_[op.index()].index()];
    op = group_[op.index()];
  }
  return op;
}

int Homes::backward(OpId op) const {
  return std::min(membership_.backward[op.index()], most_[op.index()]);
}

void Homes::update() {
  const Graph& graph = facts_.graph();
  // Ops that read the result of a moved update move with it.
  for (const OpId op : facts_.order()) {
    if (!facts_.in_step(op) || !facts_.is_backward(op)) continue;
    for (const TensorId input : graph.inputs(op)) {
      most_[op.index()] = std::min(most_[op.index()], most_[input.op.index()]);
    }
  }
  std::vector<int> forward(graph.op_count(), kNoSection);  // by group
  std::vector<int> most(graph.op_count(), std::numeric_limits<int>::max());
  std::vector<bool> is_needed(graph.op_count());  // by the forward run
  for (const OpId op : once_) {
    const std::size_t group = group_of(op).index();
    is_needed[group] = is_needed[group] || home_[op.index()] == kForwardRun;
    forward[group] =
        std::max({forward[group], membership_.forward[op.index()], least_[op.index()]});
    most[group] = std::min(most[group], most_[op.index()]);
    if (facts_.is_backward(op)) most[group] = std::min(most[group], backward(op));
  }
  for (const OpId op : once_) {
    const std::size_t group = group_of(op).index();
    const int home = facts_.is_backward(op) ? backward(op) : std::max(forward[group], 0);
    home_[op.index()] = is_needed[group] ? kForwardRun : std::min(home, most[group]);
  }
}

Homes::Bound Homes::run_no_earlier(OpId op, int run) {
  if (run < least_[op.index()]) return Bound::kContradicts;
  if (run >= most_[op.index()]) return Bound::kKnown;
  most_[op.index()] = run;
  return Bound::kNew;
}

Homes::Bound Homes::run_no_later(OpId op, int run) {
  if (run > most_[op.index()]) return Bound::kContradicts;
  if (run <= least_[op.index()]) return Bound::kKnown;
  least_[op.index()] = run;
  return Bound::kNew;
}

}  // namespace tideline::sections
