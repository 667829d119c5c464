// Problem: the reference bisects one parameter after the other and takes the first set that fits.
// On the faithful model the peak is not monotonic in any of them: with a low threshold the copies
// that wait on the device are the peak, with a high one the tensors that stay. And of two sets that
// fit, one may be much faster than the other.
// Idea: simulate up to a few hundred of the thousands of distinct sets, in four stages.
//   1. Least memory, whatever the budget: ahead as small as possible and group-by 1 come closest,
//      so only the threshold is scanned, coarsely and then around the lowest peak. Whether the
//      search succeeds is decided here, so the smallest budget that fits is known as well.
//   2. Frontiers: for one group-by and one ahead, step time falls with the threshold, and beyond
//      some threshold the step does not fit. That last threshold is found by steps of doubled
//      width. Group-bys and thresholds that cannot win are left out: the time for which copies
//      occupy the links is known without a simulation (swap_traffic.h), and step time is at least
//      a share of it that is learned from the simulations.
//   3. Neighbours of the best set in each parameter, until none is better.
//   4. What is left of the plays goes to thresholds not tried yet, spread evenly, because sets that
//      fit may lie apart.
// Where all sets are few enough, all are simulated instead.
//   resnet50, batch 64, 4.4 GiB: of 9,996 sets 150 are simulated; the best swaps 69 tensors with
//   threshold 314, ahead 20 and one copy each, and none of the 9,996 is faster.
// Limits: a set may be missed that is faster. Source: own. Tested by
// unit/rewrite/lms2/fastest_search_test.cc, and beside full grids by golden/tune_grid_test.cc.
#include "core/rewrite/lms2/fastest_search.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "core/rewrite/lms2/tried_sets.h"

namespace tideline::lms2 {
namespace {

constexpr int kSyncModes = 4;
constexpr std::ptrdiff_t kCoarse = 12;  // thresholds of the coarse scan

class Finder {
 public:
  Finder(const FastestSearch& search, const PeakFunction& play, TuneResult& result)
      : search_(search), result_(result), sets_(search, play, result), count_(sets_.thresholds()) {}

  Status run() {
    result_.parameters = search_.given;
    bool is_off = false;
    if (search_.given.swapout_threshold < 0) {
      TIDELINE_TRY(is_off, try_without_swaps());
      if (is_off && !search_.wants_least_peak) return {};
    }
    TIDELINE_RETURN_IF_ERROR(find_least_peaks());
    if (is_off) return {};
    result_.necessary = true;
    // With a little less than a set needs it may fit, and with a little more get stuck, where
    // copies happen to meet so; what is said to be the least decides.
    if (!sets_.best() || static_cast<double>(result_.least_peak) >= search_.budget) {
      result_.least_peak = std::max(result_.least_peak, static_cast<Bytes>(search_.budget));
      result_.failure = is_searching() ? "No parameters were found with which a step fits."
                                       : "The given parameters do not fit the device memory.";
      return {};
    }
    TIDELINE_RETURN_IF_ERROR(has_few_sets() ? try_all() : search_frontiers());
    result_.found = true;
    result_.parameters = sets_.parameters(sets_.best()->first);
    result_.prediction = sets_.best()->second;
    return {};
  }

 private:
  using Index = TriedSets::Index;
  using Set = TriedSets::Set;

  [[nodiscard]] bool is_searching() const {
    const SwapParameters& given = search_.given;
    return given.swapout_threshold < 0 || given.swapin_ahead < 0 || given.swapin_groupby < 0;
  }

  // True if nothing has to be swapped. What the user lists is swapped all the same.
  Result<bool> try_without_swaps() {
    const SwapParameters without = {std::max(search_.levels, 1), 1, 0, search_.given.sync_mode};
    TIDELINE_TRY(const SearchPrediction played, sets_.simulate(TuneStage::kNecessity, without));
    note_need(played);
    if (!sets_.fits(played)) return false;
    result_.only_forced = played.swapped_out_tensors > 0;
    if (result_.only_forced) {
      first_ = count_ - 1;  // with the last threshold nothing but that is swapped
      return false;
    }
    result_.found = true;
    result_.parameters.swapout_threshold = search_.levels;
    result_.prediction = played;
    result_.trials.back().is_best = true;
    return true;
  }

  // With the given sync mode; with the others, when there is a choice, only for the threshold that
  // needs least memory.
  Status find_least_peaks() {
    TIDELINE_TRY(const Index lowest, find_least_peak());
    if (!is_searching()) return {};
    for (Set set = {lowest, 0, 0, search_.given.sync_mode + 1}; set.mode < kSyncModes; ++set.mode) {
      TIDELINE_RETURN_IF_ERROR(try_groupbys(set, std::min<Index>(sets_.groupbys(), 2)));
    }
    return {};
  }

  Status try_groupbys(Set set, Index count) {
    for (set.groupby = 0; set.groupby < count; ++set.groupby) {
      TIDELINE_RETURN_IF_ERROR(attempt_least(set));
    }
    return {};
  }
  Result<Bytes> attempt_least(const Set& set) {
    const bool is_new = !sets_.is_tried(set);
    TIDELINE_TRY(const SearchPrediction played, sets_.attempt(TuneStage::kLeastPeak, set));
    if (is_new) note_need(played);
    return played.peak_by_steps;
  }
  // Of the set played last.
  void note_need(const SearchPrediction& played) {
    constexpr Bytes kPlenty = std::numeric_limits<Bytes>::max() / 2;
    Bytes& least = result_.least_peak;
    const Bytes below = least == 0 ? kPlenty : least;
    least =
        search_.least_memory ? search_.least_memory(below) : std::min(below, played.peak_by_steps);
  }

  // Scans thresholds coarsely, then around the lowest peak with shorter and shorter steps. Returns
  // the threshold of the lowest peak; of equal ones the highest.
  Result<Index> find_least_peak() {
    const int mode = search_.given.sync_mode;
    Index groupby = 0;
    while (groupby + 1 < sets_.groupbys() &&
           search_.traffic->groupbys()[static_cast<std::size_t>(groupby)] < 1)
      ++groupby;
    Index lowest = -1;
    Bytes peak = 0;
    const auto lower = [&](Index threshold) -> Result<bool> {
      if (threshold < first_ || threshold >= count_) return false;
      TIDELINE_TRY(const Bytes here, attempt_least({threshold, 0, groupby, mode}));
      if (lowest >= 0 && std::pair(here, -threshold) >= std::pair(peak, -lowest)) return false;
      lowest = threshold;
      peak = here;
      return true;
    };
    const Index range = count_ - 1 - first_;
    for (Index i = 0; i < kCoarse; ++i) {
      TIDELINE_RETURN_IF_ERROR(lower(first_ + range * i / (kCoarse - 1)));
    }
    for (Index step = std::max<Index>(range / (2 * kCoarse), 1); step >= 1;) {
      TIDELINE_TRY(const bool is_below, lower(lowest - step));
      if (is_below) continue;
      TIDELINE_TRY(const bool is_above, lower(lowest + step));
      if (!is_above) step /= 2;
    }
    for (const Index near : {-2, 2, -3, 3}) TIDELINE_RETURN_IF_ERROR(lower(lowest + near));
    TIDELINE_RETURN_IF_ERROR(try_groupbys({lowest, 0, 0, mode}, sets_.groupbys()));
    return lowest;
  }

  [[nodiscard]] bool has_few_sets() const {
    return (count_ - first_) * sets_.aheads() * sets_.groupbys() <= search_.most_plays;
  }
  Status try_all() {
    for (Set set = {first_, 0, 0, sets_.best()->first.mode}; set.threshold < count_;
         ++set.threshold) {
      for (set.groupby = 0; set.groupby < sets_.groupbys(); ++set.groupby) {
        for (set.ahead = 0; set.ahead < sets_.aheads(); ++set.ahead) {
          TIDELINE_RETURN_IF_ERROR(sets_.attempt_fit(set));
        }
      }
    }
    return {};
  }

  // Large group-bys first, because they copy least; each begins where the one before ended.
  Status search_frontiers() {
    const int mode = sets_.best()->first.mode;
    const Index middle = sets_.aheads() / 2;
    Index from = sets_.best()->first.threshold;
    for (Index groupby = sets_.groupbys(); groupby-- > 0;) {
      TIDELINE_TRY(auto start, find_start({from, middle, groupby, mode}));
      if (!start) {
        TIDELINE_TRY(start, find_start({from, 0, groupby, mode}));
      }
      if (!start) continue;
      TIDELINE_TRY(from, frontier({*start, middle, groupby, mode}));
      for (Index ahead = sets_.aheads(); ahead-- > 0;) {
        if (ahead != middle) TIDELINE_RETURN_IF_ERROR(frontier({from, ahead, groupby, mode}));
      }
    }
    TIDELINE_RETURN_IF_ERROR(climb());
    return search_islands();
  }

  // A threshold that fits, near `set`; nullopt if none was found, or none may win.
  Result<std::optional<Index>> find_start(Set set) {
    const Index least = sets_.first_worth_trying(first_, set.groupby);
    if (least >= count_) return std::nullopt;
    const Index around = std::clamp(set.threshold, least, count_ - 1);
    Index lowest = -1;
    Bytes peak = 0;
    const auto is_fit = [&](Index threshold) -> Result<bool> {
      set.threshold = threshold;
      TIDELINE_TRY(const SearchPrediction played, sets_.attempt(TuneStage::kFastest, set));
      if (lowest < 0 || played.peak_by_steps < peak) {
        lowest = threshold;
        peak = played.peak_by_steps;
      }
      return sets_.fits(played);
    };
    for (const Index i : {2, 1, 0, -1, -2}) {
      const Index threshold = std::clamp(around + i * count_ / 16, least, count_ - 1);
      if (sets_.is_used_up()) return std::nullopt;
      TIDELINE_TRY(const bool is_found, is_fit(threshold));
      if (is_found) return threshold;
    }
    // Downhill.
    for (Index step = std::max<Index>(count_ / 32, 1); step >= 1;) {
      const Index before = lowest;
      for (const Index threshold : {before - step, before + step}) {
        if (threshold < least || threshold >= count_ || sets_.is_used_up()) continue;
        TIDELINE_TRY(const bool is_found, is_fit(threshold));
        if (is_found) return threshold;
      }
      if (sets_.is_used_up()) return std::nullopt;
      if (lowest == before) step /= 2;
    }
    return std::nullopt;
  }

  // The last threshold that fits, searched from the threshold of `set`, which itself need not fit;
  // the latter where none is found.
  Result<Index> frontier(Set set) {
    const Index least = sets_.first_worth_trying(first_, set.groupby);
    const Index from = set.threshold;
    if (least >= count_) return from;
    const auto is_fit = [&](Index threshold) -> Result<bool> {
      set.threshold = threshold;
      return sets_.attempt_fit(set);
    };
    Index good = -1;
    Index bad = count_;
    Index at = std::max(least, from);
    for (Index step = 1; at >= least && at < count_ && !sets_.is_used_up(); step *= 2) {
      TIDELINE_TRY(const bool is_good, is_fit(at));
      if (is_good) {
        good = at;
        if (bad < count_) break;  // came down from the bad ones
        at += step;
      } else {
        bad = at;
        if (good >= 0 || at == least) break;
        at = std::max(least, at - step);
      }
    }
    if (good < 0) return from;
    while (bad - good > 1 && !sets_.is_used_up()) {
      const Index middle = good + (bad - good) / 2;
      TIDELINE_TRY(const bool is_good, is_fit(middle));
      (is_good ? good : bad) = middle;
    }
    for (const Index beyond : {good + 2, good + 3}) {
      if (beyond < count_ && !sets_.is_used_up()) TIDELINE_RETURN_IF_ERROR(is_fit(beyond));
    }
    return good;
  }

  // Neighbours of the best set, until none is better.
  Status climb() {
    std::optional<Set> before;
    while (before != sets_.best()->first && !sets_.is_used_up()) {
      before = sets_.best()->first;
      for (const Index near : {1, -1, 2, -2, 3, -3, 4, -4}) {
        Set set = *before;
        set.threshold += near;
        TIDELINE_RETURN_IF_ERROR(try_neighbour(set));
      }
      Set set = sets_.best()->first;
      for (set.ahead = 0; set.ahead < sets_.aheads(); ++set.ahead) {
        TIDELINE_RETURN_IF_ERROR(try_neighbour(set));
      }
      set = sets_.best()->first;
      for (set.groupby = 0; set.groupby < sets_.groupbys(); ++set.groupby) {
        TIDELINE_RETURN_IF_ERROR(try_neighbour(set));
      }
    }
    return {};
  }
  Status try_neighbour(const Set& set) {
    if (set.threshold < first_ || set.threshold >= count_ || sets_.is_used_up()) return {};
    TIDELINE_RETURN_IF_ERROR(sets_.attempt_fit(set));
    return {};
  }

  // Thresholds not tried yet, with ahead and group-by of the best set: all of them, in the order of
  // their reversed bits, which spreads them evenly however early the plays end.
  Status search_islands() {
    while (!sets_.is_used_up()) {
      const Set best = sets_.best()->first;
      std::vector<Set> todo;
      Set set = best;
      for (set.threshold = sets_.first_worth_trying(first_, best.groupby); set.threshold < count_;
           ++set.threshold) {
        if (!sets_.is_tried(set)) todo.push_back(set);
      }
      const std::size_t width = std::bit_ceil(std::max<std::size_t>(todo.size(), 1));
      bool is_better = false;
      for (std::size_t i = 0; i < width && !is_better && !sets_.is_used_up(); ++i) {
        std::size_t reversed = 0;
        for (std::size_t bit = 1; bit < width; bit *= 2) {
          reversed = reversed * 2 + ((i & bit) != 0 ? 1 : 0);
        }
        if (reversed >= todo.size()) continue;
        TIDELINE_RETURN_IF_ERROR(sets_.attempt_fit(todo[reversed]));
        is_better = sets_.best()->first != best;
      }
      if (!is_better) return {};
      TIDELINE_RETURN_IF_ERROR(climb());
    }
    return {};
  }

  const FastestSearch& search_;
  TuneResult& result_;
  TriedSets sets_;
  Index count_;      // of thresholds
  Index first_ = 0;  // of the thresholds in question
};

}  // namespace

std::vector<int> aheads_to_try(const SwapParameters& given) {
  if (given.swapin_ahead >= 0) return {given.swapin_ahead};
  return {1, 2, 3, 5, 10, 20, 50};
}

std::vector<int> groupbys_to_try(const SwapParameters& given, int levels) {
  if (given.swapin_groupby >= 0) return {given.swapin_groupby};
  std::vector<int> groupbys = {0, 1, 2, 5, 10};
  if (levels > groupbys.back()) groupbys.push_back(levels);
  return groupbys;
}

// With more than 50 plays no step of the transformer (12,449 ops, six budgets) became faster; steps
// of resnet50 (5,390 ops) did, by up to 6 %, until the 130th.
std::int64_t plays_for(std::int64_t ops) {
  constexpr std::int64_t kUsual = 150;
  constexpr std::int64_t kLeast = 45;
  ops = std::max<std::int64_t>(ops, 1);
  const std::int64_t affordable = std::clamp<std::int64_t>(1'100'000 / ops, kLeast, kUsual);
  return std::max<std::int64_t>(affordable, 800'000 / ops);
}

Status find_fastest(const FastestSearch& search, const PeakFunction& play, TuneResult& result) {
  return Finder(search, play, result).run();
}

}  // namespace tideline::lms2
