// The search for parameters of LMS v2 with which a step fits a memory budget.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms2/options.h"
#include "core/rewrite/lms2/swap_parameters.h"
#include "core/rewrite/lms_plan.h"
#include "core/rewrite/search.h"

namespace tideline {

/// Why a play was made.
enum class TuneStage : std::uint8_t { kNecessity, kSyncMode, kThreshold, kAhead, kGroupBy };
/// "without swaps", "sync_mode", "swapout_threshold", "swapin_ahead", "swapin_groupby".
[[nodiscard]] std::string_view tune_stage_name(TuneStage stage);

/// One parameter set that was tried.
struct TuneTrial {
  TuneStage stage = TuneStage::kNecessity;
  SwapParameters parameters;
  Bytes device_peak = 0;
  Bytes host_peak = 0;
  bool fits = false;
};

struct TuneResult : SearchFindings {
  /// Nothing needs to be swapped but tensors that the user lists; LMS is on for their sake.
  bool only_forced = false;
  /// As the reference reports them: -1 for what was not looked for. Without `found` as given.
  SwapParameters parameters;
  std::vector<TuneTrial> trials;  ///< in the order in which they were made
};

/// Peaks of one parameter set, swapin_ahead 1 or more and swapin_groupby 0 or more.
using PeakFunction = std::function<Result<PlayResult>(const SwapParameters&)>;

/// The search alone: `given` has -1 for whatever is to be found; `budget` is what a peak has to
/// stay below. Fills found, necessary, parameters, failure, prediction, least_peak, trials.
/// Errors: those of `peaks`. Cost: about three plays for each doubling of `levels`.
[[nodiscard]] Status search_parameters(int levels, const SwapParameters& given, double budget,
                                       const PeakFunction& peaks, TuneResult& result);

/// LMS v2's automatic mode on `model`. Deterministic. Tensors of swap_tensors are swapped in every
/// parameter set: when a step fits with them alone, no others are, and without any LMS is off.
/// Errors: those of validate_tuning; kInvalidArgument for a loop, or a missing batch size; those of
/// plan_lms2; faithful: of build_step_graph. Cost: the preparation of plan_lms2 and a few dozen
/// plays, or plans with a faithful simulation each. Thread: pure.
[[nodiscard]] Result<TuneResult> tune_lms2(const Graph& graph, const Collections& collections,
                                           const Lms2Options& options, const MemoryBudget& budget,
                                           Progress& progress, const SearchModel& model = {});

/// Whether what is given makes sense by itself; -1 stands for what is to be found.
/// Errors: kInvalidArgument naming the command line's option.
[[nodiscard]] Status validate_tuning(const Lms2Options& options, const MemoryBudget& budget);
/// Whether automatic mode has something to find: a parameter that `options` needs is negative.
[[nodiscard]] bool needs_tuning(const Lms2Options& options);
/// `options` with the parameters that were found; those of synchronised swap-ins get values that
/// have no effect.
[[nodiscard]] Lms2Options tuned_options(Lms2Options options, const SwapParameters& found);

/// A plan with parameters that were found.
struct TunedPlan {
  TuneResult tuned;
  Lms2Options options;  ///< with these parameters
  LmsPlan plan;         ///< empty when nothing is necessary
};

/// Tunes, then plans. Errors: those of tune_lms2; kOverBudget when nothing fits, saying by how much
/// the budget is missed.
[[nodiscard]] Result<TunedPlan> plan_lms2_within(const Graph& graph, const Collections& collections,
                                                 const Lms2Options& options,
                                                 const MemoryBudget& budget, Progress& progress,
                                                 const SearchModel& model = {});

}  // namespace tideline
