// Tested by unit/runtime/outside_effects_test.cc and unit/runtime/training_test.cc.
#include "core/runtime/needed_ops.h"

namespace tideline::runtime {

std::vector<bool> needed_ops(const Graph& graph, const std::vector<OpId>& roots,
                             const std::set<TensorId>& fed) {
  std::vector<bool> needed(graph.op_count(), false);
  std::vector<OpId> open;
  const auto visit = [&](OpId op) {
    if (!op.valid() || needed[op.index()]) return;
    needed[op.index()] = true;
    open.push_back(op);
  };
  for (const OpId op : roots) visit(op);
  while (!open.empty()) {
    const OpId op = open.back();
    open.pop_back();
    for (const TensorId input : graph.inputs(op)) {
      if (!fed.contains(input)) visit(input.op);
    }
    for (const OpId before : graph.control_inputs(op)) visit(before);
  }
  return needed;
}

}  // namespace tideline::runtime
