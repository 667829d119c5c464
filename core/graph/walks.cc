// Tested by unit/graph/walks_test.cc. Source of ready_order: Kahn 1962.
#include "core/graph/walks.h"

#include "core/graph/op_types.h"

namespace tideline {

LoopTypes::LoopTypes(const Graph& graph) {
  for (const std::string_view type : graph.types()) {
    const Role role = is_next_iteration(type) ? Role::kNextIteration
                      : is_merge(type)        ? Role::kMerge
                                              : Role::kOther;
    has_loops_ = has_loops_ || role == Role::kNextIteration;
    roles_.push_back(role);
  }
}

bool is_in_topological_order(const Graph& graph, const LoopTypes& loops, Edges edges) {
  bool ordered = true;
  for (const OpId op : graph.ops()) {
    for_each_producer(graph, loops, edges, op,
                      [&](OpId producer) { ordered = ordered && producer < op; });
    if (!ordered) return false;
  }
  return true;
}

std::vector<OpId> ready_order(const Graph& graph, const Consumers& consumers,
                              const LoopTypes& loops, Edges edges) {
  std::vector<std::uint32_t> waits(graph.op_count());
  std::vector<OpId> order;
  for (const OpId op : graph.ops()) {
    for_each_producer(graph, loops, edges, op, [&](OpId) { ++waits[op.index()]; });
    if (waits[op.index()] == 0) order.push_back(op);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    const OpId op = order[at];
    const auto release = [&](OpId waiter) {
      if (!loops.is_back_edge(graph, op, waiter) && --waits[waiter.index()] == 0) {
        order.push_back(waiter);
      }
    };
    for (const Use use : consumers.data(op)) release(use.consumer);
    if (edges == Edges::kData) continue;
    for (const OpId waiter : consumers.control(op)) release(waiter);
  }
  return order;
}

}  // namespace tideline
