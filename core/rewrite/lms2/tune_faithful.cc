// Tested by unit/rewrite/lms2/tune_test.cc, property/one_truth.py and
// golden/tune_grid_test.cc.
#include "core/rewrite/lms2/tune_faithful.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/rewrite/lms2/faithful_plays.h"
#include "core/rewrite/lms2/fastest_search.h"
#include "core/rewrite/lms2/search_budget.h"

namespace tideline::lms2 {
namespace {

// A set with the tensors that are kept besides.
struct KeptSet {
  SwapParameters parameters;
  SearchPrediction prediction;
  std::vector<TensorId> kept;
  Overrides overrides;
};

class Keeper {
 public:
  Keeper(Prepared& prepared, FaithfulPlays& plays, Progress& progress, double budget)
      : prepared_(prepared),
        plays_(plays),
        progress_(progress),
        most_(static_cast<Bytes>(std::floor(budget))),
        before_(prepared.overrides()) {}

  // Keeps tensors for which there is room on the device, as long as the step does not become
  // slower. If it does, because the copies that are left meet differently, or if the estimate of
  // the room was too high, only the larger half is tried.
  Result<KeptSet> keep(const SwapParameters& set, FaithfulPlays::Rooms rooms) {
    prepared_.set_overrides(before_);
    KeptSet best{set, {}, {}, before_};
    TIDELINE_TRY(best.prediction, plays_.play(set, progress_));
    std::vector<TensorId> idle = find_idle(best, rooms);
    constexpr int kPlays = 12;
    for (int play = 0; play < kPlays && !idle.empty(); ++play) {
      for (const TensorId tensor : idle) prepared_.keep(tensor);
      TIDELINE_TRY(const SearchPrediction played, plays_.play(set, progress_));
      if (played.device_peak > most_ || played.step_ns > best.prediction.step_ns) {
        prepared_.set_overrides(best.overrides);
        idle.resize(idle.size() / 2);
        continue;
      }
      best.prediction = played;
      best.overrides = prepared_.overrides();
      best.kept.insert(best.kept.end(), idle.begin(), idle.end());
      idle = find_idle(best, rooms);
    }
    return best;
  }

 private:
  std::vector<TensorId> find_idle(const KeptSet& set, FaithfulPlays::Rooms rooms) const {
    std::vector<TensorId> idle =
        plays_.idle_swaps(std::max(most_, set.prediction.device_peak), rooms);
    std::erase_if(idle,
                  [&](TensorId tensor) { return set.overrides.of(tensor) != Override::kNone; });
    return idle;
  }

  Prepared& prepared_;
  FaithfulPlays& plays_;
  Progress& progress_;
  Bytes most_;
  Overrides before_;
};

// The fastest set, and those with the highest thresholds that fit: they swap tensors that are away
// for long and wait for memory instead, and keeping some of these tensors makes up for more.
std::vector<SwapParameters> sets_to_keep_in(const TuneResult& result) {
  constexpr std::size_t kThresholds = 4;
  std::map<int, const TuneTrial*, std::greater<>> fastest;
  for (const TuneTrial& trial : result.trials) {
    if (!trial.fits || trial.parameters.sync_mode != result.parameters.sync_mode) continue;
    if (trial.stage == TuneStage::kNecessity) continue;
    const TuneTrial*& first = fastest[trial.parameters.swapout_threshold];
    if (first == nullptr || trial.step_ns < first->step_ns) first = &trial;
  }
  std::vector<SwapParameters> sets = {result.parameters};
  for (const auto& [threshold, trial] : fastest) {
    if (sets.size() > kThresholds) break;
    if (!(trial->parameters == result.parameters)) sets.push_back(trial->parameters);
  }
  return sets;
}

Status keep_what_fits(Prepared& prepared, FaithfulPlays& plays, Progress& progress,
                      TuneResult& result) {
  Keeper keeper(prepared, plays, progress, result.device_budget);
  std::optional<KeptSet> best;
  // A step that waits has no room on the clock where it would have some if it waited less.
  using Rooms = FaithfulPlays::Rooms;
  for (const SwapParameters& set : sets_to_keep_in(result)) {
    for (const Rooms rooms : {Rooms::kOnTheClock, Rooms::kBySteps}) {
      TIDELINE_TRY(KeptSet kept, keeper.keep(set, rooms));
      if (!best || kept.prediction.step_ns < best->prediction.step_ns) best = std::move(kept);
    }
  }
  result.parameters = best->parameters;
  for (TuneTrial& trial : result.trials) {
    if (trial.fits && trial.parameters == result.parameters) trial.is_best = true;
  }
  for (const TensorId tensor : best->kept) {
    result.kept.push_back(prepared.context().graph.tensor_name(tensor));
  }
  prepared.set_overrides(best->overrides);
  TIDELINE_TRY(result.prediction, plays.play(result.parameters, progress));
  result.prediction.held_without_waiting =
      plays.within(std::numeric_limits<Bytes>::max() / 2).device_peak;
  return {};
}

}  // namespace

Status tune_faithful(const Graph& graph, const Collections& collections, Prepared& prepared,
                     const SearchModel& model, bool wants_least_peak, Progress& progress,
                     TuneResult& result) {
  const SwapParameters given = swap_parameters_of(prepared.options());
  const Context& context = prepared.context();
  TIDELINE_TRY(FaithfulPlays plays,
               FaithfulPlays::make(graph, collections, prepared, model,
                                   static_cast<Bytes>(std::floor(result.device_budget))));
  result.lower_bound_bytes = plays.largest_need();
  result.unknown_sizes = plays.unknown_sizes();
  result.expected_sizes = plays.expected_sizes();
  for (const LoopCount& loop : plays.step().loops) {
    if (loop.source != RoundsSource::kUnknown || !loop.follows.empty()) continue;
    result.warnings.push_back(
        {"loop",
         fmt::format("the rounds of the loop {} are unknown and count as one; give them with "
                     "{{rounds}} {}=N",
                     loop.name, loop.name),
         {},
         1,
         {loop.name}});
  }
  FastestSearch search;
  search.given = given;
  search.levels = context.levels.count();
  search.budget = peak_limit(model, result.device_budget);
  search.profile = model.profile;
  result.without = plays.without();
  search.without_ns = result.without.step_ns;
  search.aheads = aheads_to_try(given);
  search.wants_least_peak = wants_least_peak;
  search.most_plays = plays_for(graph.op_count());
  prepared.set(0, 1, 0, given.sync_mode);
  const SwapTraffic traffic(choose_swaps(context, prepared.candidates()), context.levels,
                            plays.step(), given.swapout_threshold,
                            groupbys_to_try(given, search.levels));
  search.traffic = &traffic;
  std::int64_t done = 0;
  const PeakFunction peaks = [&](const SwapParameters& set) -> Result<SearchPrediction> {
    if (!progress.report("tuning", ++done, search.most_plays)) return cancelled();
    return plays.play(set, progress);
  };
  search.least_memory = [&](Bytes below) { return plays.least_memory(below); };
  TIDELINE_RETURN_IF_ERROR(find_fastest(search, peaks, result));
  result.prediction.held_without_waiting = result.prediction.device_peak;
  if (!result.found || !result.necessary) return {};
  return keep_what_fits(prepared, plays, progress, result);
}

}  // namespace tideline::lms2
