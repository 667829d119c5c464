// The search for parameters of LMS v2 with which a step fits a memory budget.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms/search.h"
#include "core/rewrite/lms2/options.h"
#include "core/rewrite/lms2/swap_parameters.h"

namespace tideline {

/// The stage of the search in which a parameter set was tried.
enum class TuneStage : std::uint8_t {
  kNecessity,
  kSyncMode,
  kThreshold,
  kAhead,
  kGroupBy,
  kLeastPeak,
  kFastest
};
/// "without swaps", "sync_mode", "swapout_threshold", "swapin_ahead", "swapin_groupby", "least
/// peak", "fastest".
[[nodiscard]] std::string_view tune_stage_name(TuneStage stage);

/// One parameter set that was tried.
struct TuneTrial {
  TuneStage stage = TuneStage::kNecessity;
  SwapParameters parameters;
  Bytes device_peak = 0;
  Bytes host_peak = 0;
  std::int64_t step_ns = 0;  ///< 0 on the compatible model
  bool fits = false;
  bool is_best = false;  ///< the best so far
};

/// The result of a search. Units: bytes.
struct TuneResult : SearchFindings {
  std::string expected_sizes;  ///< what can be given for unknown ones (step_ops.h)
  /// The step fits without swaps, but the user listed tensors to swap, so LMS is on.
  bool only_forced = false;
  /// As the reference reports them: -1 for parameters not searched for. As given unless `found`.
  SwapParameters parameters;
  std::vector<TuneTrial> trials;  ///< in the order of the search
};

/// Peaks of one parameter set, swapin_ahead 1 or more and swapin_groupby 0 or more.
using PeakFunction = std::function<Result<SearchPrediction>(const SwapParameters&)>;

/// The search itself. Parameters that are -1 in `given` are searched for; a peak must be below
/// `budget` bytes. Fills found, necessary, parameters, failure, prediction, least_peak, trials.
/// Errors: those of `peaks`. Cost: about 3 x log2(levels) calls of `peaks`.
[[nodiscard]] Status search_parameters(int levels, const SwapParameters& given, double budget,
                                       const PeakFunction& peaks, TuneResult& result);

/// LMS v2's automatic mode on `model`. Deterministic. Tensors in swap_tensors are swapped with
/// every parameter set; if the step fits with those alone, nothing else is swapped, and if there
/// are none LMS is off. Errors: those of validate_tuning; kInvalidArgument for a graph without a
/// batch size, and for loops: on the compatible model without measured sizes, on the faithful one
/// with tensors of unknown size; those of plan_lms2; on the faithful model those of
/// build_step_graph. Cost: the preparation of plan_lms2 and a few dozen plays, or up to a few
/// hundred plans with a faithful simulation each. Thread: pure.
[[nodiscard]] Result<TuneResult> tune_lms2(const Graph& graph, const Collections& collections,
                                           const Lms2Options& options, const MemoryBudget& budget,
                                           Progress& progress, const SearchModel& model = {});

/// Checks the given values, as far as possible without a graph; -1 stands for values to search.
/// Errors: kInvalidArgument naming the parameter.
[[nodiscard]] Status validate_tuning(const Lms2Options& options, const MemoryBudget& budget);
/// Whether a parameter that `options` needs is negative, so that automatic mode has to search.
[[nodiscard]] bool needs_tuning(const Lms2Options& options);
/// `options` with the parameters that were found. With synchronised swap-ins, parameters that do
/// not apply get valid values without effect.
[[nodiscard]] Lms2Options tuned_options(Lms2Options options, const SwapParameters& found);

/// A plan with the parameters found by a search.
struct TunedPlan {
  TuneResult tuned;
  Lms2Options options;  ///< with these parameters
  LmsPlan plan;         ///< empty when nothing is necessary
};

/// Tunes, then plans. Errors: those of tune_lms2; kOverBudget when nothing fits, with the excess
/// over the budget, and then `missed`, unless it is null, has what was tried.
[[nodiscard]] Result<TunedPlan> plan_lms2_within(const Graph& graph, const Collections& collections,
                                                 const Lms2Options& options,
                                                 const MemoryBudget& budget, Progress& progress,
                                                 const SearchModel& model = {},
                                                 TuneResult* missed = nullptr);

}  // namespace tideline
