#include "core/analysis/structure/structure.h"

#include "core/analysis/structure/pass_finder.h"

namespace tideline {

Result<Structure> find_structure(const Graph& graph, const FunctionLibrary* functions) {
  Structure structure;
  structure.facts = OpFactsTable::for_graph(graph, functions);
  const OpFactsTable& facts = structure.facts;
  const Consumers consumers(graph);
  const StackLinks stacks(graph, facts);
  structure.copies = find_swap_copies(graph, consumers);
  const PassFinder passes(graph, consumers, facts, stacks, structure.copies);
  structure.flow = passes.flow();
  structure.phases = passes.phases();
  structure.gradient_of = passes.gradient_pairs();
  TIDELINE_TRY(structure.loops, find_while_frames(graph, facts, stacks, structure.phases));
  structure.conditionals = find_conditionals(graph, facts, Conditions(graph));
  structure.calls = find_calls(graph, facts);
  structure.variables = find_variable_roles(graph, consumers, facts, structure.phases);
  structure.scopes = find_scopes(graph);
  structure.series = find_series(graph, structure.scopes);
  return structure;
}

}  // namespace tideline
