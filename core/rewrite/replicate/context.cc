// Tested by unit/rewrite/replicate/regions_test.cc.
#include "core/rewrite/replicate/context.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace tideline::replicate {

Result<std::unique_ptr<const Context>> Context::make(const GraphFacts& known,
                                                     const Collections& collections) {
  const Graph& graph = known.graph();
  const Phases& phases = known.passes().phases();
  std::vector<VariableUse> variables = known.variables();
  std::unordered_map<std::uint32_t, std::uint32_t> written;
  for (std::uint32_t i = 0; i < variables.size(); ++i) {
    for (const OpId op : variables[i].assigns) written.emplace(op.value, i);
    for (const OpId op : variables[i].updates) written.emplace(op.value, i);
  }
  TensorOptions sizes;
  sizes.functions = known.functions();
  TIDELINE_TRY(TensorTable tensors, TensorTable::build(graph, sizes));
  return std::unique_ptr<const Context>(
      new Context{known, graph, collections, known.functions(), known.consumers(), known.ops(),
                  known.stacks(), known.passes().flow(), phases, LoopFrames(graph),
                  std::move(variables), std::move(written), std::move(tensors)});
}

bool Context::is_variable(OpId op) const {
  return kind(op) == OpKind::kVariable ||
         (kind(op) == OpKind::kPlaceholder && tensors.output_count(op) > 0 &&
          base_type(tensors.type({op, 0})) == DataType::kResource);
}

bool Context::is_shared_read(OpId op) const {
  const auto inputs = graph.inputs(op);
  return kind(op) == OpKind::kView && inputs.size() == 1 && graph.control_inputs(op).empty() &&
         kind(inputs[0].op) == OpKind::kVariable && is_reference(tensors.type(inputs[0]));
}

std::string shown(const Graph& graph, OpId op) {
  return fmt::format("'{}' ({})", printable(graph.name(op)), printable(graph.type(op)));
}

}  // namespace tideline::replicate
