// A traced step with the model's results for it, as the command line and the views show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/levels.h"
#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/graph/measured_sizes.h"
#include "core/graph/step_trace.h"
#include "core/memory/measured/compare_measured.h"
#include "core/memory/measured/measured_step.h"

namespace tideline {

/// Peak while the ops of one level run.
struct LevelBytes {
  std::int32_t level = 0;
  Bytes measured = 0;
  Bytes model = 0;
};

/// Immutable once built, and not to be moved while there are pointers into it.
struct MeasuredRun {
  std::string path;   ///< of the file or log, as given; may be empty
  std::string place;  ///< which step of a log: "run '.', tag 'step024', step 24"; may be empty
  TracedStep chosen;  ///< the same; meaningless for a file
  std::vector<TracedStep> choices;  ///< traced steps of that log by run and tag; empty for a file
  StepTrace trace;
  std::vector<MeasuredStep> devices;  ///< as measure_step sorts them; never empty
  MeasuredSizes sizes;
  std::vector<MeasuredComparison> comparisons;  ///< by device; with empty contents until `compare`
  std::vector<LevelBytes> levels;               ///< of the first device; empty if it has no memory
  Diagnostics diagnostics;  ///< of reading the file, and of matching it with the graph

  // Of the first device.
  [[nodiscard]] const MeasuredStep& step() const { return devices.front(); }
  [[nodiscard]] const MeasuredComparison& comparison() const { return comparisons.front(); }
};

/// Extracts sizes, times and devices; leaves the comparison empty (see compare).
/// Errors: kInvalidArgument when no execution names an op of the graph, so that the trace belongs
/// to another graph; kUnsupported when the executions read tens of millions of values, or ops ran
/// on more than 1,024 devices. Cost: as measure_step. Thread: pure.
[[nodiscard]] Result<MeasuredRun> measure_run(const Graph& graph, StepTrace trace,
                                              Diagnostics diagnostics);

/// The peaks of `step` by level, ascending, without levels whose ops did not run. Executions that
/// name no op of the graph count for the level of the op before them, those at the beginning for
/// that of the first op: else the peak could be missing. Cost: O(executions log levels).
[[nodiscard]] std::vector<LevelBytes> level_bytes(const LevelMap& levels, const MeasuredStep& step,
                                                  const MeasuredComparison& comparison);

/// Fills comparisons and levels; `step` is of the whole graph, `levels` its complete map.
void compare(const Graph& graph, const StepGraph& step, const FunctionLibrary* functions,
             const LevelMap& levels, MeasuredRun& run);

/// Largest size of each tensor over its executions; a fed value is the output of its placeholder.
/// `peak` is the first device's. Cost: O(rows). Thread: pure.
[[nodiscard]] MeasuredSizes measured_sizes(const Graph& graph, const StepTrace& trace);

}  // namespace tideline
