// The search of automatic mode for parameter values with which a step fits a memory budget: its
// inputs and results, for all rewriters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/memory/device_profile.h"
#include "core/memory/run_model.h"
#include "core/rewrite/values.h"
#include "core/rewrite/warning.h"

namespace tideline {

inline constexpr Bytes kDefaultHostMemory = Bytes{64} << 30U;

struct MemoryBudget {
  Bytes device = 0;
  Bytes host = kDefaultHostMemory;  ///< exceeding it is a warning
  /// Share of the device memory that a plan may use, if not all of it: memory_ratio().
  std::optional<double> ratio = {};
  friend bool operator==(const MemoryBudget&, const MemoryBudget&) = default;
};

/// How a search judges parameters.
struct SearchModel {
  /// By the faithful model: of the parameters that fit, the fastest. Else as the reference
  /// searches: by its own model, parameter by parameter.
  bool is_faithful = true;
  std::vector<std::string> fetches = {};               ///< faithful: as in StepOptions
  RunModel run = {};                                   ///< faithful: as in StepOptions
  DeviceProfile profile = *built_in_profile("pcie3");  ///< faithful: for the time of a step
  friend bool operator==(const SearchModel&, const SearchModel&) = default;
};

/// The share of the device memory that a plan may use: all of it if the budget does not say; 0.9,
/// as the reference, where its own search is asked for.
[[nodiscard]] double memory_ratio(const MemoryBudget& budget, const SearchModel& search);

/// The most that a step may need: that share of what the trainable variables leave, and these. The
/// one number that a search, the result and the charts compare a peak with. On the reference's
/// model, whose peaks are without the trainable variables, without these. Units: bytes.
[[nodiscard]] double usable_memory(const MemoryBudget& budget, const SearchModel& search,
                                   Bytes trainable);

/// Peaks and traffic of one step.
struct SearchPrediction {
  /// Where the search is by the faithful model, on the clock within the budget (step_clock.h); if
  /// the step gets stuck, what it would hold then or peak_by_steps, whichever is more.
  Bytes device_peak = 0;
  /// The peak if every copy were over at once (faithful.h), which depends on no budget.
  Bytes peak_by_steps = 0;
  /// Of what was found: the most that the step would hold if nothing waited for memory.
  Bytes held_without_waiting = 0;
  Bytes host_peak = 0;
  std::int64_t swapped_out_tensors = 0;
  std::int64_t swap_ins = 0;
  Bytes bytes_out = 0;
  Bytes bytes_in = 0;
  std::int64_t step_ns = 0;  ///< 0 on the compatible model, which has no times
};

/// The results of a search that do not depend on the parameters of the rewriter. Units: bytes.
struct SearchFindings {
  bool already_edited = false;
  bool found = false;           ///< parameters fit, or no swap is needed
  bool necessary = false;       ///< false: the rewriter has nothing to do
  std::string failure;          ///< why nothing was found, with the reference's message
  SearchPrediction prediction;  ///< with the values found; without swaps if not `necessary`
  SearchPrediction without;     ///< the step without swaps, where the search looked at it
  /// Tensors that are kept besides those that the user lists, because there is room for them.
  std::vector<std::string> kept;
  std::int64_t unknown_sizes = 0;  ///< tensors whose size was guessed
  Bytes trainable_bytes = 0;       ///< of the variables that are trained
  /// usable_memory(). A peak may be as large; on the reference's model it must be below.
  double device_budget = 0;
  Bytes least_peak = 0;  ///< of the parameter sets that decide whether the search succeeds
  /// The smallest device memory with which this search succeeds.
  Bytes smallest_feasible_bytes = 0;
  /// The most that a single op reads and writes: no plan has a lower peak.
  Bytes lower_bound_bytes = 0;
  std::vector<std::string> log;   ///< the log lines of the reference
  std::vector<Warning> warnings;  ///< reasons to doubt the numbers
};

/// One set of values that was tried. Units: bytes.
struct SearchTrial {
  std::string_view stage;  ///< what was searched for: "without swaps", or a parameter
  Values values;           ///< of Search::parameters
  Bytes device_peak = 0;
  Bytes host_peak = 0;
  std::int64_t step_ns = 0;  ///< 0 on the compatible model
  bool fits = false;
  bool is_best = false;  ///< the best so far
};

struct SearchResult : SearchFindings {
  /// Of Search::parameters, as the reference reports them: -1 for what was not looked for. Without
  /// `found` as given.
  Values values;
  /// Switches, by name of the parameter, as the search had them: it turns on what keeps the numbers
  /// the same, and what saves copies that nothing reads.
  std::vector<std::pair<std::string_view, bool>> switches;
  std::vector<SearchTrial> trials;  ///< in the order of the search
};

/// A message saying why a search that found nothing missed `budget`, and by how much.
[[nodiscard]] std::string missed_budget(const SearchFindings& findings, const MemoryBudget& budget);

}  // namespace tideline
