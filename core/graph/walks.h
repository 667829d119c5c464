// Walks over a graph that several rooms need: producers first, and back to where a value comes
// from.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
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

/// Ops that are found one from another: those met so far, and which of them are still to be looked
/// at. Each is met once. Cost: O(ops) bits to build, O(1) per op.
class OpWalk {
 public:
  explicit OpWalk(const Graph& graph) : graph_(&graph), met_(graph.op_count()) {}
  /// Begins with all ops of a set.
  OpWalk(const Graph& graph, std::vector<bool> begin) : graph_(&graph), met_(std::move(begin)) {
    for (const OpId op : graph.ops()) {
      if (has(op)) waiting_.push_back(op);
    }
  }

  /// False: it was met before.
  bool add(OpId op) {
    if (has(op)) return false;
    met_[op.index()] = true;
    waiting_.push_back(op);
    return true;
  }
  [[nodiscard]] bool has(OpId op) const { return met_[op.index()]; }

  /// Takes the op that was added last of those that wait to be looked at.
  [[nodiscard]] std::optional<OpId> next() {
    if (waiting_.size() == first_) return std::nullopt;
    const OpId op = waiting_.back();
    waiting_.pop_back();
    return op;
  }
  /// Takes the op that was added first.
  [[nodiscard]] std::optional<OpId> oldest() {
    return waiting_.size() == first_ ? std::nullopt : std::optional(waiting_[first_++]);
  }

  /// Adds what `op` reads, or also what it waits for.
  void add_inputs(OpId op, Edges edges) {
    for (const TensorId input : graph_->inputs(op)) add(input.op);
    if (edges == Edges::kData) return;
    for (const OpId input : graph_->control_inputs(op)) add(input);
  }
  /// Adds what reads an output of `op`, or also what waits for it.
  void add_readers(const Consumers& consumers, OpId op, Edges edges) {
    for (const Use use : consumers.data(op)) add(use.consumer);
    if (edges == Edges::kData) return;
    for (const OpId waiter : consumers.control(op)) add(waiter);
  }

  /// The ops that were met; the walk is over.
  [[nodiscard]] std::vector<bool> take() { return std::move(met_); }

 private:
  const Graph* graph_;
  std::vector<bool> met_;
  std::vector<OpId> waiting_;
  std::size_t first_ = 0;  ///< of `waiting_`: those before were taken
};

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
