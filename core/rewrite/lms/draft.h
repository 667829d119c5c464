// A graph while a rewriter edits it: the original plus the copies and edges decided so far.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "core/analysis/loop_frames.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/walks.h"

namespace tideline {

/// Answers queries about the edited graph without building it. Ids of added copies follow those of
/// the graph, as in a plan. The graph and consumers must outlive the draft. Cost: O(edges of the
/// op) per query unless noted. Thread: not shared.
class Draft {
 public:
  Draft(const Graph& graph, const Consumers& consumers);

  /// Adds a copy (one input, one output) of `input` and returns its id.
  OpId add_copy(TensorId input);
  /// Makes input `slot` of `op`, an op of the graph, read `to`, the output of a copy.
  void reroute(OpId op, std::uint32_t slot, TensorId to);
  /// Makes `op` wait for `after`. Returns false, and adds nothing, if it already does.
  bool add_control(OpId op, OpId after);

  [[nodiscard]] const Graph& graph() const { return *graph_; }
  [[nodiscard]] bool is_copy(OpId op) const { return op.index() >= graph_->op_count(); }
  [[nodiscard]] std::uint32_t op_count() const {
    return graph_->op_count() + static_cast<std::uint32_t>(copy_inputs_.size());
  }
  /// The current data inputs of `op`.
  [[nodiscard]] std::span<const TensorId> inputs(OpId op) const;
  [[nodiscard]] bool has_control(OpId op, OpId after) const;

  /// Neighbours of `op` in the edited graph, without duplicates, in file order: producers of its
  /// data inputs, its control inputs, readers of its outputs, and ops that wait for it.
  [[nodiscard]] std::vector<OpId> producers(OpId op) const;
  [[nodiscard]] std::vector<OpId> awaited(OpId op) const;
  [[nodiscard]] std::vector<OpId> readers(OpId op) const;
  [[nodiscard]] std::vector<OpId> waiters(OpId op) const;

  /// Calls `visit` for the readers of any output of `op`, in unspecified order; one that reads
  /// twice is visited twice.
  template <typename Visit>
  void for_each_reader(OpId op, const Visit& visit) const {
    if (!is_copy(op)) {
      for (const Use use : consumers_->data(op)) {
        const TensorId reads = inputs_[graph_->first_input_index(use.consumer) + use.slot];
        if (reads.op == op) visit(use.consumer);
      }
    }
    const auto added = copy_readers_.find(op.value);
    if (added == copy_readers_.end()) return;
    for (const OpId reader : added->second) visit(reader);
  }

  /// Whether a path of one or more data and control edges leads from `from` to `to`, back edges of
  /// loops included. Cost: O(edges of the ops visited); without loops only ops that can precede
  /// `to` are visited.
  [[nodiscard]] bool leads_to(OpId from, OpId to);
  [[nodiscard]] bool has_loops() const { return has_loops_; }

  /// Whether `op` and `after` are in different frames of v1 loops (loop_frames.h), so that
  /// TensorFlow refuses a control edge between them. A copy is in the frame of what it copies.
  [[nodiscard]] bool crosses_frames(OpId op, OpId after) const;

 private:
  using EdgeMap = std::unordered_map<std::uint32_t, std::vector<OpId>>;
  void raise(OpId op, std::int64_t rank);
  [[nodiscard]] OpId copied(OpId op) const;

  const Graph* graph_;
  const Consumers* consumers_;
  bool has_loops_;
  LoopFrames frames_;
  std::vector<TensorId> inputs_;       // of the graph's ops, rerouted in place
  std::vector<TensorId> copy_inputs_;  // by copy
  EdgeMap copy_readers_;               // added readers of a producer's outputs
  EdgeMap added_awaited_;
  EdgeMap added_waiters_;
  std::vector<std::int64_t> rank_;  // rank(a) < rank(b) for every edge a -> b but back edges
  std::vector<std::uint32_t> visited_;
  std::uint32_t visit_ = 0;
};

}  // namespace tideline
