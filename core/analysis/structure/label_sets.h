// Small sets of numbers, kept once each and compared by id.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace tideline {

/// Sets of sources, at most kMostLabels each: of larger ones the preferred members are kept.
/// kEverything stands for the set of all sources. Thread: not shared.
class LabelSets {
 public:
  using Id = std::uint32_t;
  static constexpr Id kEverything = 0;
  static constexpr Id kNothing = 1;
  static constexpr std::size_t kMostLabels = 12;

  LabelSets();

  [[nodiscard]] Id single(std::uint32_t label);
  /// Members of both.
  [[nodiscard]] Id common(Id a, Id b);
  /// Members of exactly one of them; everything when one is everything.
  [[nodiscard]] Id either(Id a, Id b);
  /// Members of at least one; everything counts as nothing.
  [[nodiscard]] Id any(Id a, Id b);
  /// Sorted, the most preferred (largest) label last. Not for kEverything.
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
