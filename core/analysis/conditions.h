// The branches of v1 conditionals that must be taken for an op to run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// A set of branches, all of which must be taken: an id of one Conditions.
struct BranchSetId {
  std::uint32_t value = 0;
  friend bool operator==(BranchSetId, BranchSetId) = default;
};

/// TensorFlow 1 conditionals consist of Switch and Merge: ops that depend on the branch not taken
/// are dead and do not run, and deadness propagates over data and control edges up to a Merge. Ops
/// inside loops are treated as in the first iteration. Cost: O((ops + edges) x nesting of
/// conditionals) to build. Thread: immutable once built.
class Conditions {
 public:
  explicit Conditions(const Graph& graph);

  /// The branches that an op, or a tensor, depends on. Output 1 of a Switch exists only when that
  /// branch is taken.
  [[nodiscard]] BranchSetId of(OpId op) const { return of_op_[op.index()]; }
  [[nodiscard]] BranchSetId of(TensorId tensor) const;
  /// Whether an op that depends on `first` runs whenever one that depends on `second` does. False
  /// for sets that are too large to be stored.
  [[nodiscard]] bool runs_with(BranchSetId first, BranchSetId second) const;
  /// Whether the graph has conditionals; without them every op runs.
  [[nodiscard]] bool any() const { return sets_.size() > kReservedSets; }

  /// One side of a conditional (1: true). The predicate is traced back to the op that computes it.
  struct Branch {
    TensorId predicate;
    std::uint32_t side = 0;
    friend auto operator<=>(const Branch&, const Branch&) = default;
  };
  /// The branches of a set, sorted; empty for a set that is too large to be stored.
  [[nodiscard]] std::span<const Branch> branches(BranchSetId id) const { return set(id); }
  /// The predicate of a Switch that is not part of a loop; nullopt for all other ops.
  [[nodiscard]] std::optional<TensorId> predicate_of(OpId op) const;

 private:
  using BranchSet = std::vector<Branch>;  // sorted
  static constexpr BranchSetId kEmpty{0};
  static constexpr BranchSetId kTooLarge{1};
  static constexpr std::size_t kReservedSets = 2;

  [[nodiscard]] const BranchSet& set(BranchSetId id) const { return sets_[id.value]; }
  BranchSetId intern(BranchSet set);
  BranchSetId united(BranchSetId a, BranchSetId b);
  BranchSetId common(BranchSetId a, BranchSetId b);
  BranchSetId with_side(OpId op, BranchSetId base, std::uint32_t side);
  void settle(OpId op);

  const Graph* graph_;
  std::vector<BranchSet> sets_;
  std::map<BranchSet, BranchSetId> ids_;
  std::vector<BranchSetId> of_op_;
  std::array<std::vector<BranchSetId>, 2> sides_;  // of the outputs of a Switch; unused for others
  std::vector<bool> is_switch_;                    // by type id
  std::vector<bool> is_merge_;                     // by type id
};

}  // namespace tideline
