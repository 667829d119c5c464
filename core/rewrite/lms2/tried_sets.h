// The parameter sets that a search for the fastest one has simulated, and what they tell of others.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "core/rewrite/lms2/fastest_search.h"

namespace tideline::lms2 {

/// Simulates sets once, keeps the best, and lists every simulation as a trial. Everything passed in
/// must outlive it. Thread: not shared.
class TriedSets {
 public:
  using Index = std::ptrdiff_t;

  /// Indices of threshold, ahead and group-by, of those that the search tries.
  struct Set {
    Index threshold = 0, ahead = 0, groupby = 0;
    int mode = 0;
    friend auto operator<=>(const Set&, const Set&) = default;
  };
  using Tried = std::pair<Set, SearchPrediction>;

  TriedSets(const FastestSearch& search, const PeakFunction& play, TuneResult& result)
      : search_(search), play_(play), result_(result) {}

  [[nodiscard]] Index thresholds() const {
    return static_cast<Index>(search_.traffic->thresholds().size());
  }
  [[nodiscard]] Index aheads() const { return static_cast<Index>(search_.aheads.size()); }
  [[nodiscard]] Index groupbys() const {
    return static_cast<Index>(search_.traffic->groupbys().size());
  }
  [[nodiscard]] SwapParameters parameters(const Set& set) const;

  /// Simulates any parameters, without counting them as a set that was tried. Errors: of `play`.
  Result<SearchPrediction> simulate(TuneStage stage, const SwapParameters& parameters);
  /// Simulates `set` unless it, or one that gives the same plan, was tried. Errors: of `play`.
  Result<SearchPrediction> attempt(TuneStage stage, const Set& set);
  /// The same while searching for the fastest: whether it fits.
  Result<bool> attempt_fit(const Set& set);

  [[nodiscard]] bool fits(const SearchPrediction& played) const {
    return static_cast<double>(played.device_peak) < search_.budget;
  }
  [[nodiscard]] bool is_tried(const Set& set) const { return tried_.contains(canonical(set)); }
  [[nodiscard]] bool is_used_up() const { return plays_ >= search_.most_plays; }
  /// Of those that fit: the fastest, of these the lowest, of these with least swapping.
  [[nodiscard]] const std::optional<Tried>& best() const { return best_; }
  /// The first threshold from `first` on with which a set of this group-by may be faster than the
  /// best, as far as its copies tell; thresholds() if there is none. Cost: O(log thresholds).
  [[nodiscard]] Index first_worth_trying(Index first, Index groupby) const;

 private:
  [[nodiscard]] Set canonical(Set set) const;
  void learn(const Set& set, const SearchPrediction& played);
  [[nodiscard]] double copies_ns(Index threshold, Index groupby) const;
  [[nodiscard]] bool may_win(Index threshold, Index groupby) const;

  const FastestSearch& search_;
  const PeakFunction& play_;
  TuneResult& result_;
  std::int64_t plays_ = 0;
  std::map<Set, SearchPrediction> tried_;
  std::optional<Tried> best_;
  std::optional<double> least_share_;  // of the time of its copies that a step took
};

}  // namespace tideline::lms2
