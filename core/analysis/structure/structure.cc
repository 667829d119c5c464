#include "core/analysis/structure/structure.h"

#include "core/analysis/structure/graph_facts.h"

namespace tideline {

Result<Structure> find_structure(const Graph& graph, const FunctionLibrary* functions) {
  Structure structure;
  const GraphFacts known(graph, functions);
  structure.facts = known.ops();
  const OpFactsTable& facts = structure.facts;
  structure.copies = known.copies();
  structure.flow = known.passes().flow();
  structure.phases = known.passes().phases();
  TIDELINE_TRY(structure.loops, find_while_frames(graph, facts, known.stacks(), structure.phases));
  structure.conditionals = find_conditionals(graph, facts, Conditions(graph));
  structure.calls = find_calls(graph, facts);
  structure.variables = known.variables();
  structure.scopes = find_scopes(graph);
  structure.series = find_series(graph, structure.scopes);
  return structure;
}

}  // namespace tideline
