// Walks over a graph that several rooms need: producers first, and back to where a value comes
// from.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/consumers.h"
#include "core/graph/graph.h"

namespace tideline {

/// The types NextIteration and Merge of a graph, by type id; tells back edges without comparing
/// strings. Cost: O(types) to build, O(1) per query.
class LoopTypes {
 public:
  explicit LoopTypes(const Graph& graph);
  /// Whether the edge from `producer` to `consumer` closes a loop.
  [[nodiscard]] bool is_back_edge(const Graph& graph, OpId producer, OpId consumer) const {
    return has_loops_ && roles_[graph.type_id(producer)] == Role::kNextIteration &&
           roles_[graph.type_id(consumer)] == Role::kMerge;
  }
  [[nodiscard]] bool has_loops() const { return has_loops_; }

 private:
  enum class Role : std::uint8_t { kOther, kNextIteration, kMerge };
  std::vector<Role> roles_;
  bool has_loops_ = false;
};

enum class Edges : std::uint8_t { kData, kDataAndControl };

/// Calls `visit(producer)` for every edge into `op` but the back edges of loops.
template <typename Visit>
void for_each_producer(const Graph& graph, const LoopTypes& loops, Edges edges, OpId op,
                       const Visit& visit) {
  for (const TensorId input : graph.inputs(op)) {
    if (!loops.is_back_edge(graph, input.op, op)) visit(input.op);
  }
  if (edges == Edges::kData) return;
  for (const OpId input : graph.control_inputs(op)) {
    if (!loops.is_back_edge(graph, input, op)) visit(input);
  }
}

/// Whether all ops stand behind their producers, but for back edges, as TensorFlow writes files.
/// Such a graph has no other cycles. Cost: O(ops + edges), up to the first op that does not.
[[nodiscard]] bool is_in_topological_order(const Graph& graph, const LoopTypes& loops, Edges edges);

/// Ops in the order in which they become ready: those that wait for nothing, in file order, then
/// whatever waited last for one of these, and so on. Back edges do not count. Ops of a cycle, and
/// what waits for them, are left out. Cost: O(ops + edges). Thread: pure.
/// Levels (core/analysis/levels.cc) have a sweep of their own, which settles nearly all ops without
/// consumers or counters; the schedule of a step (core/memory/step_schedule.cc) walks backwards
/// over a step graph, so that it meets only what runs.
[[nodiscard]] std::vector<OpId> ready_order(const Graph& graph, const Consumers& consumers,
                                            const LoopTypes& loops, Edges edges);

/// The tensor whose value `tensor` hands on: first inputs are followed while `hands_on(op)` holds,
/// for at most `most_steps`, because a loop that hands a value around has no end.
template <typename HandsOn>
[[nodiscard]] TensorId source_of_value(const Graph& graph, TensorId tensor,
                                       std::uint32_t most_steps, const HandsOn& hands_on) {
  for (std::uint32_t step = 0; step < most_steps; ++step) {
    const auto inputs = graph.inputs(tensor.op);
    if (inputs.empty() || !hands_on(tensor.op)) break;
    tensor = inputs[0];
  }
  return tensor;
}

}  // namespace tideline
