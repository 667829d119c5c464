// Tested by unit/rewrite/lms2/fastest_search_test.cc.
#include "core/rewrite/lms2/tried_sets.h"

#include <algorithm>
#include <tuple>

namespace tideline::lms2 {
namespace {

// Estimated times are trusted up to this when sets are left out.
constexpr double kWorthTrying = 0.99;

std::size_t at(TriedSets::Index index) {
  return static_cast<std::size_t>(index);
}

// The smallest wins.
auto rank(const TriedSets::Set& set, const SearchPrediction& played) {
  return std::tuple(played.step_ns, played.device_peak, set.mode, -set.threshold, set.ahead,
                    set.groupby);
}

}  // namespace

SwapParameters TriedSets::parameters(const Set& set) const {
  return {search_.traffic->thresholds()[at(set.threshold)], search_.aheads[at(set.ahead)],
          search_.traffic->groupbys()[at(set.groupby)], set.mode};
}

Result<SearchPrediction> TriedSets::simulate(TuneStage stage, const SwapParameters& parameters) {
  ++plays_;
  TIDELINE_TRY(const SearchPrediction played, play_(parameters));
  result_.trials.push_back({stage, parameters, played.device_peak, played.host_peak, played.step_ns,
                            fits(played), /*is_best=*/false});
  return played;
}

// Sets with the same groups are one. Synchronised swap-ins have no trigger to be ahead of.
TriedSets::Set TriedSets::canonical(Set set) const {
  if (set.mode >= 2) set.ahead = 0;
  set.groupby =
      static_cast<Index>(search_.traffic->same_groups(at(set.threshold), at(set.groupby)));
  return set;
}

Result<SearchPrediction> TriedSets::attempt(TuneStage stage, const Set& wanted) {
  const Set set = canonical(wanted);
  if (const auto known = tried_.find(set); known != tried_.end()) return known->second;
  TIDELINE_TRY(const SearchPrediction played, simulate(stage, parameters(set)));
  tried_.emplace(set, played);
  learn(set, played);
  if (!fits(played)) return played;
  if (!best_ || rank(set, played) < rank(best_->first, best_->second)) {
    best_.emplace(set, played);
    result_.trials.back().is_best = true;
  }
  return played;
}

Result<bool> TriedSets::attempt_fit(const Set& set) {
  TIDELINE_TRY(const SearchPrediction played, attempt(TuneStage::kFastest, set));
  return fits(played);
}

void TriedSets::learn(const Set& set, const SearchPrediction& played) {
  const double copies = copies_ns(set.threshold, set.groupby);
  if (copies <= 0) return;
  const double share = static_cast<double>(played.step_ns) / copies;
  least_share_ = least_share_ ? std::min(*least_share_, share) : share;
}

double TriedSets::copies_ns(Index threshold, Index groupby) const {
  return copy_ns(search_.traffic->of(at(threshold), at(groupby)), search_.profile);
}

bool TriedSets::may_win(Index threshold, Index groupby) const {
  if (!best_) return true;
  const double estimate = std::max(static_cast<double>(search_.without_ns),
                                   copies_ns(threshold, groupby) * least_share_.value_or(0));
  return estimate < static_cast<double>(best_->second.step_ns) * kWorthTrying;
}

// Copies become fewer with every threshold.
TriedSets::Index TriedSets::first_worth_trying(Index first, Index groupby) const {
  Index low = first;
  Index high = thresholds();
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (may_win(middle, groupby)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace tideline::lms2
