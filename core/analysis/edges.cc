#include "core/analysis/edges.h"

#include <vector>

namespace tideline {
namespace {

// Calls visit(producer, consumer) once for every pair of ops with a data edge. A producer was
// visited already if the last consumer that marked it is the current one.
template <typename Visit>
void for_each_data_pair(const Graph& graph, std::vector<OpId>& marked_by, const Visit& visit) {
  for (const OpId op : graph.ops()) {
    for (const TensorId input : graph.inputs(op)) {
      if (marked_by[input.op.index()] == op) continue;
      marked_by[input.op.index()] = op;
      visit(input.op, op);
    }
  }
}

}  // namespace

EdgeCounts count_edges(const Graph& graph) {
  EdgeCounts counts;
  std::vector<OpId> marked_by(graph.op_count());
  for_each_data_pair(graph, marked_by, [&](OpId, OpId) { ++counts.data; });
  marked_by.assign(graph.op_count(), OpId{});
  for (const OpId op : graph.ops()) {
    for (const OpId input : graph.control_inputs(op)) {
      if (marked_by[input.index()] == op) continue;
      marked_by[input.index()] = op;
      ++counts.control;
    }
  }
  return counts;
}

std::map<std::int32_t, std::int64_t> distance_histogram(const Graph& graph,
                                                        const LevelMap& levels) {
  std::map<std::int32_t, std::int64_t> histogram;
  std::vector<OpId> marked_by(graph.op_count());
  for_each_data_pair(graph, marked_by, [&](OpId producer, OpId consumer) {
    ++histogram[levels.level(consumer) - levels.level(producer)];
  });
  return histogram;
}

}  // namespace tideline
