// The walk of shape inference over one graph: the file's own, or the body of a function.
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

/// Facts of all outputs of one graph. Used once: construct, `run`, look.
class Propagation {
 public:
  Propagation(const InferenceInput& input, DimLists& lists, FunctionCalls& calls);

  /// Facts of `_Arg` ops, by op, for the body of a function that is called.
  void set_argument(OpId op, const TensorFact& fact) { arguments_[op.value] = fact; }
  void run();

  /// Unknown for a slot that the op does not have.
  [[nodiscard]] TensorFact fact(TensorId tensor) const {
    return exists(tensor) ? facts_[first_[tensor.op.index()] + tensor.slot] : TensorFact{};
  }
  [[nodiscard]] const std::vector<TensorFact>& facts() const { return facts_; }
  /// What the container behind a handle holds in the end; kNothing when unknown.
  [[nodiscard]] DimsId content(Handle handle) const;
  /// Differences, contradictions and ops without a rule; shapes are left empty.
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
