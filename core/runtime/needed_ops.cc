// Tested by unit/runtime/outside_effects_test.cc and unit/runtime/training_test.cc.
#include "core/runtime/needed_ops.h"

#include "core/graph/walks.h"

namespace tideline::runtime {

std::vector<bool> needed_ops(const Graph& graph, const std::vector<OpId>& roots,
                             const std::set<TensorId>& fed) {
  OpWalk needed(graph);
  for (const OpId op : roots) {
    if (op.valid()) needed.add(op);
  }
  while (const auto op = needed.next()) {
    for (const TensorId input : graph.inputs(*op)) {
      if (!fed.contains(input)) needed.add(input.op);
    }
    for (const OpId before : graph.control_inputs(*op)) needed.add(before);
  }
  return needed.take();
}

}  // namespace tideline::runtime
