// A traced step as the views want it: what was measured, and the model beside it.
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

/// The most of one level: of the ops of the level, while they ran.
struct LevelBytes {
  std::int32_t level = 0;
  Bytes measured = 0;
  Bytes model = 0;
};

/// Immutable once made; pointers into it stay valid while it does not move.
struct MeasuredRun {
  std::string path;   ///< of the file or log, as it was given; may be empty
  std::string place;  ///< which step of a log: "run '.', tag 'step024', step 24"; may be empty
  StepTrace trace;
  std::vector<MeasuredStep> devices;  ///< as measure_step sorts them; never empty
  MeasuredSizes sizes;
  std::vector<std::int64_t> op_ns;  ///< by op: all its executions; -1: not in the trace
  std::vector<Bytes> scratch;       ///< by op: most that one of its executions used; 0 for others
  /// Of the first device.
  MeasuredComparison comparison;
  std::vector<LevelBytes> levels;  ///< ascending; levels whose ops did not run are left out
  Diagnostics diagnostics;         ///< of the reading, and of what did not fit the graph

  [[nodiscard]] const MeasuredStep& step() const { return devices.front(); }
};

/// Reads off sizes, times and devices. The comparison is left empty (compare).
/// Errors: kInvalidArgument when no execution names an op of the graph: it is another graph's;
/// kUnsupported when the executions read tens of millions of values.
/// Cost: as measure_step. Thread: pure.
[[nodiscard]] Result<MeasuredRun> measure_run(const Graph& graph, StepTrace trace,
                                              Diagnostics diagnostics);

/// Fills comparison and levels; `step` is of the whole graph, `levels` its complete map.
void compare(const Graph& graph, const StepGraph& step, const FunctionLibrary* functions,
             const LevelMap& levels, MeasuredRun& run);

/// Gives the ops of `step` the scratch memory that was measured.
void add_scratch(const MeasuredRun& run, StepGraph& step);

/// Nanoseconds that each op took, all its executions together; -1 for ops that are not in the
/// trace. Of a device with kernels on streams those count. By op.
[[nodiscard]] std::vector<std::int64_t> measured_times(const Graph& graph, const StepTrace& trace);

/// Largest size of each tensor over its executions; what was fed counts as the output of its
/// placeholder. `peak` is that of the first device.
[[nodiscard]] MeasuredSizes measured_sizes(const Graph& graph, const StepTrace& trace);

}  // namespace tideline
