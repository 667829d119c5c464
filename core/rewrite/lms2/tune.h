// The search for parameters of LMS v2 with which a step fits a memory budget.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/memory/play.h"
#include "core/rewrite/lms2/options.h"
#include "core/rewrite/lms_plan.h"

namespace tideline {

inline constexpr Bytes kDefaultHostMemory = Bytes{64} << 30U;
inline constexpr double kDefaultMemoryRatio = 0.9;

struct MemoryBudget {
  Bytes device = 0;
  Bytes host = kDefaultHostMemory;     ///< exceeding it is a warning
  double ratio = kDefaultMemoryRatio;  ///< share of the device memory that a plan may use
  friend bool operator==(const MemoryBudget&, const MemoryBudget&) = default;
};

/// The model whose peaks a search compares with the budget.
struct SearchModel {
  bool is_faithful = false;               ///< else compatible, as the reference searches
  std::vector<std::string> fetches = {};  ///< faithful: as in StepOptions
  friend bool operator==(const SearchModel&, const SearchModel&) = default;
};

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

struct TuneResult {
  bool already_edited = false;
  bool found = false;      ///< parameters fit, or no swap is needed
  bool necessary = false;  ///< false: LMS stays off
  /// Nothing needs to be swapped but tensors that the user lists; LMS is on for their sake.
  bool only_forced = false;
  /// As the reference reports them: -1 for what was not looked for. Without `found` as given.
  SwapParameters parameters;
  std::string failure;    ///< why nothing was found, in the reference's words
  PlayResult prediction;  ///< of `parameters`; of no swaps at all when nothing is necessary
  Bytes trainable_bytes = 0;
  double device_budget = 0;  ///< a peak has to stay below this
  Bytes least_peak = 0;      ///< of the parameter sets that decide whether the search succeeds
  /// The smallest device memory with which this search succeeds.
  Bytes smallest_feasible_bytes = 0;
  /// What the largest op reads and writes at once: no plan's peak is lower.
  Bytes lower_bound_bytes = 0;
  std::vector<TuneTrial> trials;  ///< in the order in which they were made
  std::vector<std::string> log;
  std::vector<std::string> notices;
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

/// Why `tuned`, which found nothing, missed `budget`, and by how much.
[[nodiscard]] std::string missed_budget(const TuneResult& tuned, const MemoryBudget& budget);

}  // namespace tideline
