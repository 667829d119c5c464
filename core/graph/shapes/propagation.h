// Fixed-point iteration of shape inference over one graph: the file's own, or a function's body.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/graph/consumers.h"
#include "core/graph/shapes/demands.h"
#include "core/graph/shapes/dirty_set.h"
#include "core/graph/shapes/function_calls.h"
#include "core/graph/shapes/inference.h"
#include "core/graph/shapes/rule_context.h"
#include "core/graph/shapes/rules.h"
#include "core/graph/walks.h"

namespace tideline {

/// Facts about all outputs of one graph. Use: construct, set_argument as needed, `run` once, query.
/// `input`, `lists` and `calls` must outlive it. Queries before `run` give unknown facts.
/// Cost: `run` calls O(ops + edges) rules without loops; with loops each op is evaluated at most
/// kMostVisits times (propagation.cc). Queries are O(1). No errors: what cannot be inferred is
/// unknown. Thread: not shared.
class Propagation {
 public:
  Propagation(const InferenceInput& input, DimLists& lists, FunctionCalls& calls);

  /// Sets the fact of an `_Arg` op, for the body of a called function. Before `run`.
  void set_argument(OpId op, const TensorFact& fact) { arguments_[op.value] = fact; }
  /// Infers all outputs.
  void run();

  /// The fact of one output; unknown for a slot that the op does not have.
  [[nodiscard]] TensorFact fact(TensorId tensor) const {
    return exists(tensor) ? facts_[first_[tensor.op.index()] + tensor.slot] : TensorFact{};
  }
  /// Facts of all outputs, indexed as `InferenceInput::first_output` says.
  [[nodiscard]] const std::vector<TensorFact>& facts() const { return facts_; }
  /// Differences, contradictions and ops without a rule. `shapes` is left empty. Cost: O(ops).
  [[nodiscard]] InferredShapes report() const;

 private:
  enum Flag : std::uint8_t { kContradicts = 1, kPinned = 2 };

  void find_order();
  /// Whether the producer has such a slot; broken files read others.
  [[nodiscard]] bool exists(TensorId tensor) const {
    return tensor.slot < first_[tensor.op.index() + 1] - first_[tensor.op.index()];
  }
  [[nodiscard]] OpId op_at(std::uint32_t position) const {
    return order_.empty() ? OpId{position} : order_[position];
  }
  [[nodiscard]] std::uint32_t position_of(OpId op) const {
    return order_.empty() ? op.value : position_[op.index()];
  }
  void drain();
  void look_at(OpId op);
  [[nodiscard]] bool apply_rule(OpId op, std::span<TensorFact> outputs);
  void settle(OpId op, std::span<TensorFact> outputs);
  void store(OpId op, std::span<const TensorFact> outputs);
  void mark(OpId op);
  void mark_readers(OpId op);
  void release_empty_cells();
  void release_pending();
  [[nodiscard]] bool note_demands();
  [[nodiscard]] DimsId with_batch(DimsId shape, bool fed);
  [[nodiscard]] DimsId with_symbols(DimsId shape, std::uint32_t output);

  const InferenceInput& input_;
  const Graph& graph_;
  DimLists& lists_;
  std::span<const std::uint32_t> first_;
  Cells cells_;
  RuleContext context_;
  LoopTypes loop_types_;
  std::vector<ShapeRule> rules_;                             // by type id
  std::vector<std::uint8_t> roles_;                          // by type id
  std::unordered_map<std::uint32_t, TensorFact> arguments_;  // by op
  std::vector<TensorFact> facts_;
  std::vector<OpId> order_;              // empty: file order
  std::vector<std::uint32_t> position_;  // by op, unless file order
  DirtySet dirty_;                       // by position
  std::vector<std::uint8_t> flags_;      // by op
  std::vector<std::uint8_t> visits_;     // by op
  std::vector<TensorFact> inputs_, outputs_;
  std::unordered_map<std::uint32_t, DimsId> demanded_;  // by output
  std::optional<Consumers> consumers_;
  std::int64_t budget_ = 0;
  std::map<std::uint32_t, DimsId> differences_;  // by output
};

}  // namespace tideline
