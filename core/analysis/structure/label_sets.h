// Small interned sets of numbers, compared by id.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace tideline {

/// Sets of labels, at most kMostLabels each: larger sets keep their preferred members.
/// kEverything is the set of all labels. Cost: O(kMostLabels) per operation, O(1) when the
/// same operands were combined before. Thread: not shared.
class LabelSets {
 public:
  using Id = std::uint32_t;
  static constexpr Id kEverything = 0;
  static constexpr Id kNothing = 1;
  static constexpr std::size_t kMostLabels = 12;

  LabelSets();

  /// The set {label}.
  [[nodiscard]] Id single(std::uint32_t label);
  /// Members of both.
  [[nodiscard]] Id common(Id a, Id b);
  /// Members of exactly one of them; kEverything when either is kEverything.
  [[nodiscard]] Id either(Id a, Id b);
  /// Members of at least one; kEverything counts as empty.
  [[nodiscard]] Id any(Id a, Id b);
  /// Sorted; the most preferred label is the largest and comes last. Precondition: not kEverything.
  [[nodiscard]] const std::vector<std::uint32_t>& members(Id id) const { return *sets_[id]; }

 private:
  using Set = std::vector<std::uint32_t>;
  template <typename Combine>
  Id combined(std::uint64_t operation, Id a, Id b, const Combine& combine);
  Id intern(Set set);

  std::map<Set, Id> ids_;
  std::vector<const Set*> sets_;
  std::unordered_map<std::uint64_t, Id> memo_;
  std::unordered_map<std::uint32_t, Id> singles_;
};

}  // namespace tideline
