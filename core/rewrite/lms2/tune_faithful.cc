// Tested by unit/rewrite/lms2/tune_test.cc, property/one_truth.py and
// golden/tune_grid_test.cc.
#include "core/rewrite/lms2/tune_faithful.h"

#include <cmath>
#include <utility>

#include "core/rewrite/lms2/faithful_plays.h"
#include "core/rewrite/lms2/fastest_search.h"
#include "core/rewrite/lms2/keep_what_fits.h"
#include "core/rewrite/lms2/search_budget.h"

namespace tideline::lms2 {

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
  return keep_what_fits({graph, collections, model}, prepared, plays, progress, result);
}

}  // namespace tideline::lms2
