// Problem: threshold, ahead and group-by trade memory for waiting. The goal is the least swapping
// that fits: the highest threshold, then the highest ahead, then the highest group-by.
// Idea: as in the reference, one parameter after the other, each by bisection over the peaks of
// plays. First one play without swaps: if that fits, nothing is swapped. Then the first sync mode
// with which the most aggressive set (1, 1, 0) fits; if there is none the search fails.
//   levels 615, budget 3.8 GB: threshold 308 no, 154 no, 77 yes, ... 143; ahead 308 no, ... 69;
//   group-by 615 yes.
// A set fits if its peak is below the budget, so whether the search succeeds is determined by the
// peaks of at most five sets: the smallest budget needs no search of its own.
// Cost: two to four plays and three times log2(levels).
// Limits: peaks are not monotonic in any of the three, so better sets may be missed; but the result
// itself was always seen to fit.
// Source: IBM TFLMS v2, lms.py, _search_params (rules only). Tested by
// unit/rewrite/lms2/tune_test.cc and golden/autotune_test.cc.
#include <algorithm>

#include "core/rewrite/lms2/tune.h"

namespace tideline {
namespace {

constexpr int kSyncModes = 4;

class ParameterSearch {
 public:
  ParameterSearch(int levels, const SwapParameters& given, double budget, const PeakFunction& peaks,
                  TuneResult& result)
      : levels_(levels), given_(given), budget_(budget), peaks_(peaks), result_(result) {}

  Status run() {
    result_.parameters = given_;
    TIDELINE_RETURN_IF_ERROR(find_all());
    result_.necessary = !result_.found || !is_off_;
    return find_least_peak();
  }

 private:
  [[nodiscard]] bool syncs_swap_ins() const { return result_.parameters.sync_mode >= 2; }

  // The set to be played for the parameters found so far.
  [[nodiscard]] SwapParameters playable(SwapParameters set) const {
    if (set.swapin_ahead < 0) set.swapin_ahead = 1;
    if (set.swapin_groupby < 0) set.swapin_groupby = 0;
    return set;
  }

  // Plays, or takes the result of an equal set from before.
  Result<SearchPrediction> play(const SwapParameters& set) {
    for (const auto& [seen, played] : seen_) {
      if (seen == set) return played;
    }
    TIDELINE_TRY(const SearchPrediction played, peaks_(set));
    seen_.emplace_back(set, played);
    return played;
  }
  // Sets `fits_`.
  Status attempt(TuneStage stage, const SwapParameters& set) {
    TIDELINE_TRY(const SearchPrediction played, play(set));
    fits_ = static_cast<double>(played.device_peak) < budget_;
    result_.trials.push_back({stage, set, played.device_peak, played.host_peak, 0, fits_, fits_});
    if (fits_) result_.prediction = played;
    return {};
  }

  Status find_all() {
    SwapParameters& found = result_.parameters;
    if (found.swapout_threshold < 0 && found.swapin_ahead < 0 && found.swapin_groupby < 0) {
      TIDELINE_RETURN_IF_ERROR(
          attempt(TuneStage::kNecessity, {std::max(levels_, 1), 1, 0, found.sync_mode}));
      if (fits_) {
        found.swapout_threshold = levels_;
        // Tensors that the user lists are swapped all the same, and should come back in time.
        result_.only_forced = result_.prediction.swapped_out_tensors > 0;
        is_off_ = !result_.only_forced;
        result_.found = is_off_;
        if (is_off_) return {};
      }
    }
    if (found.swapout_threshold < 0) {
      TIDELINE_RETURN_IF_ERROR(find_sync_mode());
      if (!fits_) return give_up("swapout_threshold");
      TIDELINE_RETURN_IF_ERROR(
          bisect(TuneStage::kThreshold, found.swapout_threshold, 1, levels_, 1, false));
    } else if (!syncs_swap_ins() && !result_.only_forced) {
      TIDELINE_RETURN_IF_ERROR(check_threshold());
      if (!fits_) return give_up("swapin_ahead");
    }
    if (!syncs_swap_ins()) TIDELINE_RETURN_IF_ERROR(find_ahead_and_groupby());
    return predict();
  }

  // With the most aggressive swapping.
  Status find_sync_mode() {
    SwapParameters& found = result_.parameters;
    for (int mode = given_.sync_mode; mode < kSyncModes; ++mode) {
      SwapParameters set = playable(found);
      set.swapout_threshold = 1;
      set.sync_mode = mode;
      TIDELINE_RETURN_IF_ERROR(attempt(TuneStage::kSyncMode, set));
      if (!fits_) continue;
      found.sync_mode = mode;
      break;
    }
    return {};
  }

  // The threshold is given. The reference assumes that sync mode 3 fits if the others do not; here
  // it is tried.
  Status check_threshold() {
    SwapParameters set = playable(result_.parameters);
    TIDELINE_RETURN_IF_ERROR(attempt(TuneStage::kSyncMode, set));
    if (fits_) return {};
    set.sync_mode = kSyncModes - 1;
    TIDELINE_RETURN_IF_ERROR(attempt(TuneStage::kSyncMode, set));
    if (fits_) result_.parameters.sync_mode = set.sync_mode;
    return {};
  }

  Status find_ahead_and_groupby() {
    SwapParameters& found = result_.parameters;
    if (found.swapin_ahead < 0) {
      TIDELINE_RETURN_IF_ERROR(bisect(TuneStage::kAhead, found.swapin_ahead, 1, levels_, 1, false));
    }
    if (found.swapin_groupby >= 0) return {};
    SwapParameters set = playable(found);
    set.swapin_groupby = levels_;
    TIDELINE_RETURN_IF_ERROR(attempt(TuneStage::kGroupBy, set));
    if (fits_) {
      found.swapin_groupby = levels_;
      return {};
    }
    return bisect(TuneStage::kGroupBy, found.swapin_groupby, 0, levels_, 0, true);
  }

  // `value`, a member of the parameters, becomes the last middle that fits, or `known`, which is
  // known to fit; with `first_fit` the first middle that does.
  Status bisect(TuneStage stage, int& value, int low, int high, int known, bool first_fit) {
    int best = known;
    while (low <= high) {
      const int middle = low + (high - low) / 2;
      value = middle;
      TIDELINE_RETURN_IF_ERROR(attempt(stage, playable(result_.parameters)));
      if (fits_) {
        best = middle;
        low = middle + 1;
        if (first_fit) break;
      } else {
        high = middle - 1;
      }
    }
    value = best;
    return {};
  }

  // Predicts the final set, which was played before unless all parameters were given.
  Status predict() {
    TIDELINE_TRY(result_.prediction, play(playable(result_.parameters)));
    result_.found = static_cast<double>(result_.prediction.device_peak) < budget_;
    if (!result_.found) result_.failure = "The given parameters do not fit the device memory.";
    return {};
  }

  // The search succeeds when one of these sets fits: what is played first for each parameter.
  Status find_least_peak() {
    SwapParameters set = playable(given_);
    const bool all =
        given_.swapout_threshold < 0 && given_.swapin_ahead < 0 && given_.swapin_groupby < 0;
    if (given_.swapout_threshold < 0) set.swapout_threshold = 1;
    TIDELINE_TRY(const SearchPrediction first, play(set));
    result_.least_peak = first.device_peak;
    for (int mode = set.sync_mode + 1; mode < kSyncModes; ++mode) {
      set.sync_mode = mode;
      TIDELINE_TRY(const SearchPrediction played, play(set));
      result_.least_peak = std::min(result_.least_peak, played.device_peak);
    }
    if (!all) return {};
    TIDELINE_TRY(const SearchPrediction without,
                 play({std::max(levels_, 1), 1, 0, given_.sync_mode}));
    result_.least_peak = std::min(result_.least_peak, without.device_peak);
    return {};
  }

  Status give_up(std::string_view parameter) {
    result_.parameters = given_;
    result_.failure = fmt::format(
        "Auto-tuning was unable to find a value for {}. Please specify it manually.", parameter);
    return {};
  }

  int levels_;
  SwapParameters given_;
  double budget_;
  const PeakFunction& peaks_;
  TuneResult& result_;
  std::vector<std::pair<SwapParameters, SearchPrediction>> seen_;
  bool fits_ = false;
  bool is_off_ = false;
};

}  // namespace

Status search_parameters(int levels, const SwapParameters& given, double budget,
                         const PeakFunction& peaks, TuneResult& result) {
  return ParameterSearch(levels, given, budget, peaks, result).run();
}

}  // namespace tideline
