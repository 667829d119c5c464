// A traced step beside the open graph: which one, and how it compares with the model.
#pragma once

#include <string>

#include "app/session/sized_graph.h"
#include "core/analysis/levels.h"
#include "core/events/logged_trace.h"

namespace tideline::session {

/// Reads and measures the traced step that is meant; the comparison is empty. Errors: those of
/// events::open_trace and measure_run, beginning with the path; kCancelled. Cost: one pass over the
/// bytes, then as measure_run. Thread: pure.
[[nodiscard]] Result<MeasuredRunPtr> measure(const ReadGraph& source,
                                             const events::TraceChoice& choice, Progress& progress);
/// The same for a traced step that was read from `path`, with what reading it noticed.
[[nodiscard]] Result<MeasuredRunPtr> measure(const ReadGraph& source, events::OpenedTrace trace,
                                             const std::string& path, Diagnostics noticed);

/// The same for the run of a log that the graph is from. Null when it has no traced step, or the
/// graph is from no log. Errors: as above.
[[nodiscard]] Result<MeasuredRunPtr> measure_own(const ReadGraph& source, Progress& progress);

/// `run` with the comparison for these sizes, of the faithful model, and this step. Errors: those
/// of build_step_graph. Cost: that of tideline::compare, and a copy of the run.
[[nodiscard]] Result<MeasuredRunPtr> compared(const ReadGraph& source, const LevelMap& levels,
                                              const TensorTable& tensors, const StepOptions& step,
                                              const MeasuredRun& run);

}  // namespace tideline::session
