// Finds the tensors of a rewritten graph that have the value of a tensor of the original.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"
#include "core/graph/op_types.h"

namespace tideline {

/// Traces added ops back: an Identity has the value of its input; a recomputing copy has the value
/// of the op of the original that computes the same function of the same values. Such a copy has
/// the type, device and attributes of that op (except `_class`, which only affects placement) and
/// inputs with the values that the op read. The op must be stateless and deterministic and must not
/// read a variable in place, since that may have been updated in between. Ops are matched by name.
/// Cost: O(added ops + their inputs), plus a pass over the original if any added op computes.
/// Limits: copies of loops are not recognised.
/// Precondition: both graphs outlive it. Thread: immutable once built.
class CarriedValues {
 public:
  CarriedValues(const Graph& original, const Graph& rewritten);

  [[nodiscard]] bool is_added(OpId op) const { return added_at_[op.index()] != kNotAdded; }
  /// The op, by its id in the rewritten graph, that the added op `op` recomputes, slot by slot;
  /// nullopt for an Identity and for ops that compute something new.
  [[nodiscard]] std::optional<OpId> recomputed(OpId op) const;
  [[nodiscard]] bool is_identity(OpId op) const {
    return passes_on(rewritten_.type(op)) && rewritten_.inputs(op).size() == 1;
  }
  /// The tensor of the original, by its id in the rewritten graph, whose value `tensor` has;
  /// `tensor` itself if an added op computes something new.
  [[nodiscard]] TensorId of(TensorId tensor) const;

 private:
  static constexpr std::uint32_t kNotAdded = 0xffffffffU;
  struct Added {
    OpId op;
    std::optional<TensorId> carries;  // of an Identity
    std::optional<OpId> recomputes;   // an op of the rewritten graph that the original has
    bool is_settled = false;
    bool is_open = false;  // on the way back from itself
  };

  void settle(std::uint32_t added);
  [[nodiscard]] std::optional<OpId> find_twin(OpId op) const;
  void index_original();
  [[nodiscard]] bool can_recompute(const Graph& graph, const OpFactsTable& facts, OpId op) const;

  const Graph& original_;
  const Graph& rewritten_;
  OpFactsTable facts_;                   // of the rewritten graph
  std::vector<std::uint32_t> added_at_;  // by op of the rewritten graph
  std::vector<Added> added_;
  /// Ops of the rewritten graph that the original has, by a hash of all that a copy has to share.
  std::unordered_multimap<std::uint64_t, OpId> by_function_;
};

}  // namespace tideline
