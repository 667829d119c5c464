#include "core/graph/consumers.h"

namespace tideline {

Consumers::Consumers(const Graph& graph)
    : first_use_(graph.op_count() + 2), first_waiter_(graph.op_count() + 2) {
  // A counting sort by producer: count, sum up, place. Shifted by one so that after the placing
  // first[op] is the start of op's list.
  std::size_t controls = 0;
  for (const OpId op : graph.ops()) {
    for (const TensorId input : graph.inputs(op)) ++first_use_[input.op.index() + 2];
    for (const OpId input : graph.control_inputs(op)) ++first_waiter_[input.index() + 2];
    controls += graph.control_inputs(op).size();
  }
  for (std::size_t i = 2; i < first_use_.size(); ++i) {
    first_use_[i] += first_use_[i - 1];
    first_waiter_[i] += first_waiter_[i - 1];
  }
  uses_.resize(graph.input_slot_count());
  waiters_.resize(controls);
  for (const OpId op : graph.ops()) {
    std::uint32_t slot = 0;
    for (const TensorId input : graph.inputs(op)) {
      uses_[first_use_[input.op.index() + 1]++] = {op, slot++};
    }
    for (const OpId input : graph.control_inputs(op)) {
      waiters_[first_waiter_[input.index() + 1]++] = op;
    }
  }
}

}  // namespace tideline
