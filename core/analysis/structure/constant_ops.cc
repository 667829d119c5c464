// Tested by unit/analysis/structure/gradient_flow_test.cc.
#include "core/analysis/structure/constant_ops.h"

namespace tideline {

ConstantOps find_constant_ops(const Graph& graph, const OpFactsTable& facts,
                              std::span<const OpId> order) {
  ConstantOps found;
  found.is_constant.resize(graph.op_count());
  found.is_fixed.resize(graph.op_count());
  for (const OpId op : order) {
    const auto inputs = graph.inputs(op);
    const OpKind is = facts.of(graph, op).kind;
    bool constant = is == OpKind::kConstant;
    if (!constant && is_pure(is)) {
      constant = true;
      std::uint32_t metadata = 0;
      facts.for_each_slot(graph, op, facts.of(graph, op).metadata_inputs,
                          [&](std::uint32_t slot) { metadata |= slot < 32 ? 1U << slot : 0U; });
      for (std::uint32_t slot = 0; slot < inputs.size(); ++slot) {
        const bool only_shape = slot < 32 ? ((metadata >> slot) & 1U) != 0 : metadata == ~0U;
        constant = constant && (only_shape || found.is_constant[inputs[slot].op.index()]);
      }
      if (inputs.empty()) constant = false;
    }
    found.is_constant[op.index()] = constant;
    found.is_fixed[op.index()] = constant || (is == OpKind::kEnter && !inputs.empty() &&
                                              found.is_fixed[inputs[0].op.index()]);
  }
  return found;
}

}  // namespace tideline
