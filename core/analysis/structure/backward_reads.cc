#include "core/analysis/structure/backward_reads.h"

#include <algorithm>

#include "core/analysis/producers_first.h"

namespace tideline {

BackwardReads::BackwardReads(const Graph& graph, const OpFactsTable& facts,
                             const StackLinks& stacks, const GradientFlow& flow,
                             const Phases& phases)
    : graph_(&graph),
      facts_(&facts),
      stacks_(&stacks),
      flow_(&flow),
      phases_(&phases),
      helper_reads_(graph.op_count()) {
  std::vector<TensorId> found;
  for (const OpId op : producers_first(graph)) {
    if (phases.of(op) != Phase::kBackward || carries(op)) continue;
    found.clear();
    collect(op, found);
    helper_reads_[op.index()] = {static_cast<std::uint32_t>(tensors_.size()),
                                 static_cast<std::uint32_t>(found.size())};
    tensors_.insert(tensors_.end(), found.begin(), found.end());
  }
}

// As source_of_value (core/graph/walks.h), but from a pop on to its push as well.
TensorId BackwardReads::behind(TensorId tensor) const {
  constexpr int kMostSteps = 64;
  for (int steps = 0; steps < kMostSteps; ++steps) {
    const OpId op = tensor.op;
    if (phases_->of(op) != Phase::kBackward || graph_->inputs(op).empty()) break;
    const OpFacts& facts = facts_->of(*graph_, op);
    if (facts.kind == OpKind::kEnter || facts.kind == OpKind::kView ||
        facts.kind == OpKind::kSwitch) {
      tensor = graph_->inputs(op)[0];
      continue;
    }
    const std::uint32_t stack = stacks_->stack_of(op);
    if (stack == StackLinks::kNone || !facts.popped || stacks_->pushes(stack).empty()) break;
    const OpId push = stacks_->pushes(stack).front();
    const std::uint32_t slot = *facts_->of(*graph_, push).value;
    if (slot >= graph_->inputs(push).size()) break;
    tensor = graph_->inputs(push)[slot];
  }
  return tensor;
}

void BackwardReads::collect(OpId op, std::vector<TensorId>& found) const {
  const auto add = [&](TensorId tensor) {
    if (found.size() < kMostTensors &&
        std::find(found.begin(), found.end(), tensor) == found.end()) {
      found.push_back(tensor);
    }
  };
  for (const TensorId input : graph_->inputs(op)) {
    if (carries(input.op)) continue;
    const TensorId tensor = behind(input);
    if (phases_->of(tensor.op) != Phase::kBackward) {
      add(tensor);
    } else if (!carries(tensor.op)) {
      const Range range = helper_reads_[tensor.op.index()];
      for (std::uint32_t i = 0; i < range.count; ++i) add(tensors_[range.first + i]);
    }
  }
}

std::vector<TensorId> BackwardReads::of(OpId op) const {
  std::vector<TensorId> found;
  collect(op, found);
  return found;
}

}  // namespace tideline
