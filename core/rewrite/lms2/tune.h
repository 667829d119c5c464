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

/// The memory that a step may use. Units: bytes.
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

/// The stage of the search in which a parameter set was tried.
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

/// The result of a search. Units: bytes.
struct TuneResult {
  bool already_edited = false;
  bool found = false;      ///< parameters fit, or no swap is needed
  bool necessary = false;  ///< false: LMS stays off
  /// The step fits without swaps, but the user listed tensors to swap, so LMS is on.
  bool only_forced = false;
  /// As the reference reports them: -1 for parameters not searched for. As given unless `found`.
  SwapParameters parameters;
  std::string failure;    ///< why nothing was found, with the reference's message
  PlayResult prediction;  ///< of `parameters`; without swaps if not `necessary`
  Bytes trainable_bytes = 0;
  double device_budget = 0;  ///< a peak must be below this
  Bytes least_peak = 0;      ///< of the parameter sets that decide whether the search succeeds
  /// The smallest device memory with which this search succeeds.
  Bytes smallest_feasible_bytes = 0;
  /// The most that a single op reads and writes: no plan has a lower peak.
  Bytes lower_bound_bytes = 0;
  std::vector<TuneTrial> trials;  ///< in the order of the search
  std::vector<std::string> log;
  std::vector<std::string> notices;
};

/// Peaks of one parameter set, swapin_ahead 1 or more and swapin_groupby 0 or more.
using PeakFunction = std::function<Result<PlayResult>(const SwapParameters&)>;

/// The search itself. Parameters that are -1 in `given` are searched for; a peak must be below
/// `budget` bytes. Fills found, necessary, parameters, failure, prediction, least_peak, trials.
/// Errors: those of `peaks`. Cost: about 3 x log2(levels) calls of `peaks`.
[[nodiscard]] Status search_parameters(int levels, const SwapParameters& given, double budget,
                                       const PeakFunction& peaks, TuneResult& result);

/// LMS v2's automatic mode on `model`. Deterministic. Tensors in swap_tensors are swapped with
/// every parameter set; if the step fits with those alone, nothing else is swapped, and if there
/// are none LMS is off. Errors: those of validate_tuning; kInvalidArgument for a graph with loops
/// or without a batch size; those of plan_lms2; with the faithful model those of build_step_graph.
/// Cost: the preparation of plan_lms2 and a few dozen plays, or plans with a faithful simulation
/// each. Thread: pure.
[[nodiscard]] Result<TuneResult> tune_lms2(const Graph& graph, const Collections& collections,
                                           const Lms2Options& options, const MemoryBudget& budget,
                                           Progress& progress, const SearchModel& model = {});

/// Checks the given values, as far as possible without a graph; -1 stands for values to search.
/// Errors: kInvalidArgument naming the command line's option.
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
/// over the budget.
[[nodiscard]] Result<TunedPlan> plan_lms2_within(const Graph& graph, const Collections& collections,
                                                 const Lms2Options& options,
                                                 const MemoryBudget& budget, Progress& progress,
                                                 const SearchModel& model = {});

/// Why `tuned`, which found nothing, exceeds `budget`, and by how much.
[[nodiscard]] std::string missed_budget(const TuneResult& tuned, const MemoryBudget& budget);

}  // namespace tideline
