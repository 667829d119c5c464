// Tested by unit/analysis/structure/variable_roles_test.cc and
// unit/analysis/structure/applied_variables_test.cc.
#include "core/analysis/structure/variable_behind.h"

#include "core/analysis/structure/stack_links.h"

namespace tideline {

OpId variable_behind(const Graph& graph, const OpFactsTable& facts, OpId op, std::uint32_t slot) {
  if (slot >= graph.inputs(op).size()) return {};
  OpId from = graph.inputs(op)[slot].op;
  for (int steps = 0; steps < 8; ++steps) {
    from = behind_views(graph, facts, from);
    // A reference may come from a write: AssignAdd hands its variable on.
    const OpKind kind = facts.of(graph, from).kind;
    const bool is_write = kind == OpKind::kAssign || kind == OpKind::kUpdate;
    if (!is_write || graph.inputs(from).empty()) break;
    from = graph.inputs(from)[0].op;
  }
  return from;
}

}  // namespace tideline
