// Under which branches of v1 conditionals an op runs at all.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// A set of branches, all of which must be taken: a number that only its Conditions understands.
struct BranchSetId {
  std::uint32_t value = 0;
  friend bool operator==(BranchSetId, BranchSetId) = default;
};

/// TensorFlow 1 conditionals are made of Switch and Merge: what hangs on the branch that is not
/// taken is dead and does not run, and deadness spreads over data and control edges alike until a
/// Merge. Ops inside loops are taken as they stand in the loop's first round. Cost: O((ops + edges)
/// x nesting of conditionals). Thread: immutable once built.
class Conditions {
 public:
  explicit Conditions(const Graph& graph);

  /// The branches that an op hangs on, and those that a tensor does (output 1 of a Switch is there
  /// only when its side is taken).
  [[nodiscard]] BranchSetId of(OpId op) const { return of_op_[op.index()]; }
  [[nodiscard]] BranchSetId of(TensorId tensor) const;
  /// Whether what hangs on `first` is there whenever what hangs on `second` is. Never claimed of
  /// sets that are too large to be kept.
  [[nodiscard]] bool runs_with(BranchSetId first, BranchSetId second) const;
  /// Whether there are conditionals at all; without them every op runs.
  [[nodiscard]] bool any() const { return sets_.size() > kReservedSets; }

  /// The tensor that decides, followed back to where it is made, and the side (1: true).
  struct Branch {
    TensorId predicate;
    std::uint32_t side = 0;
    friend auto operator<=>(const Branch&, const Branch&) = default;
  };
  /// The branches of a set, sorted; none of a set that is too large to be kept.
  [[nodiscard]] std::span<const Branch> branches(BranchSetId id) const { return set(id); }
  /// What decides a Switch that is no part of a loop; nothing for all other ops.
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
