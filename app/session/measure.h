// A traced step beside the open graph: which one, and how it compares with the model.
#pragma once

#include <memory>

#include "app/session/opened_graph.h"
#include "core/events/logged_trace.h"

namespace tideline::session {

/// Reads and measures the traced step that is meant; the comparison is empty. Errors: those of
/// events::open_trace and measure_run, beginning with the path; kCancelled. Cost: one pass over the
/// bytes, then as measure_run. Thread: pure.
[[nodiscard]] Result<MeasuredRunPtr> measure(const GraphFile& file,
                                             const events::TraceChoice& choice, Progress& progress);

/// The same for the run of a log that the graph is from. Null when it has no traced step, or the
/// graph is from no log. Errors: as above.
[[nodiscard]] Result<MeasuredRunPtr> measure_own(const GraphFile& file, Progress& progress);

/// `run` with the comparison for these sizes. Errors: those of build_step_graph. Cost: that of
/// tideline::compare, and a copy of the run.
[[nodiscard]] Result<MeasuredRunPtr> compared(const GraphFile& file, const TensorTable& tensors,
                                              const MeasuredRun& run);

}  // namespace tideline::session
