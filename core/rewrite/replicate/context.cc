// Tested by unit/rewrite/replicate/regions_test.cc.
#include "core/rewrite/replicate/context.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace tideline::replicate {

Result<std::unique_ptr<const Context>> Context::make(const Graph& graph,
                                                     const Collections& collections,
                                                     const FunctionLibrary* functions) {
  Consumers consumers(graph);
  OpFactsTable facts = OpFactsTable::for_graph(graph, functions);
  StackLinks stacks(graph, facts);
  GradientFlow flow = find_gradient_flow(graph, facts, stacks);
  Phases phases = find_phases(graph, consumers, facts, stacks, flow);
  std::vector<VariableUse> variables = find_variable_roles(graph, consumers, facts, phases);
  std::unordered_map<std::uint32_t, std::uint32_t> written;
  for (std::uint32_t i = 0; i < variables.size(); ++i) {
    for (const OpId op : variables[i].assigns) written.emplace(op.value, i);
    for (const OpId op : variables[i].updates) written.emplace(op.value, i);
  }
  TensorOptions sizes;
  sizes.functions = functions;
  TIDELINE_TRY(TensorTable tensors, TensorTable::build(graph, sizes));
  return std::unique_ptr<const Context>(
      new Context{graph, collections, functions, std::move(consumers), std::move(facts),
                  std::move(stacks), std::move(flow), std::move(phases), LoopFrames(graph),
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
