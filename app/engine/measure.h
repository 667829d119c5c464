// Reads the traced step of an open graph and compares it with the faithful model.
#pragma once

#include <string>

#include "app/engine/sized_graph.h"
#include "core/analysis/levels.h"
#include "core/events/logged_trace.h"

namespace tideline::app {

/// Reads and measures the chosen traced step; the comparison is left empty. Errors: those of
/// events::open_trace and measure_run, beginning with the path; kCancelled. Cost: one pass over the
/// bytes, then as measure_run. Thread: pure.
[[nodiscard]] Result<MeasuredRunPtr> measure(const ReadGraph& source,
                                             const events::TraceChoice& choice, Progress& progress);
/// The same for a traced step that was already read from `path`, with the diagnostics of reading.
[[nodiscard]] Result<MeasuredRunPtr> measure(const ReadGraph& source, events::OpenedTrace trace,
                                             const std::string& path, Diagnostics noticed);

/// `run` for another graph with ops of the same names: an edit of the one that it was measured for.
/// Null when none of the executions names an op of it. Errors: the others of measure_run.
[[nodiscard]] Result<MeasuredRunPtr> measure_again(const ReadGraph& source, const MeasuredRun& run);

/// As the first one, for the run of a log from which the graph was read. Null when the run has no
/// traced step other than a simulated one (kSimulatedTag), or the graph is not from a log. Errors:
/// as above.
[[nodiscard]] Result<MeasuredRunPtr> measure_own(const ReadGraph& source, Progress& progress);

/// A copy of `run` with the comparison for this step and these sizes, which are of the faithful
/// model. Errors: those of build_step_graph. Cost: that of tideline::compare, and of the copy.
[[nodiscard]] Result<MeasuredRunPtr> compared(const ReadGraph& source, const LevelMap& levels,
                                              const TensorTable& tensors, const StepOptions& step,
                                              const MeasuredRun& run);

}  // namespace tideline::app
