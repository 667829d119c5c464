#include "core/analysis/producers_first.h"

#include "core/analysis/levels.h"
#include "core/graph/walks.h"

namespace tideline {

std::vector<OpId> producers_first(const Graph& graph) {
  std::vector<OpId> order;
  order.reserve(graph.op_count());
  if (is_in_topological_order(graph, LoopTypes(graph), Edges::kData)) {
    for (const OpId op : graph.ops()) order.push_back(op);
    return order;
  }
  const LevelMap levels = complete_levels(graph);
  for (std::int32_t level = 0; level < levels.count(); ++level) {
    for (const OpId op : levels.ops(level)) order.push_back(op);
  }
  return order;
}

}  // namespace tideline
