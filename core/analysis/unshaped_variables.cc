// Tested by unit/analysis/unshaped_variables_test.cc.
#include "core/analysis/unshaped_variables.h"

#include <algorithm>
#include <vector>

namespace tideline {

UnshapedVariables find_unshaped_variables(const Graph& graph, const TensorTable& tensors) {
  UnshapedVariables found;
  std::vector<bool> counted(graph.op_count());
  for (const OpId op : graph.ops()) {
    if (graph.type(op) != "ReadVariableOp" || graph.inputs(op).empty()) continue;
    const OpId handle = graph.inputs(op)[0].op;
    const std::string_view type = graph.type(handle);
    if ((type != "_Arg" && !type.starts_with("Placeholder")) || counted[handle.index()]) continue;
    const Shape& shape = tensors.shape({op, 0});
    const bool is_known = shape.has_rank && std::find(shape.dims.begin(), shape.dims.end(),
                                                      kUnknownDim) == shape.dims.end();
    if (is_known) continue;
    counted[handle.index()] = true;
    if (found.count++ == 0 || handle < found.first) {
      found.first = handle;
      found.first_read = op;
    }
  }
  return found;
}

}  // namespace tideline
