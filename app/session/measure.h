// Reads the traced step of an open graph and compares it with the faithful model.
#pragma once

#include <memory>

#include "app/session/opened_graph.h"
#include "core/events/logged_trace.h"

namespace tideline::session {

/// Reads and measures the chosen traced step; the comparison is left empty. Errors: those of
/// events::open_trace and measure_run, beginning with the path; kCancelled. Cost: one pass over the
/// bytes, then as measure_run. Thread: pure.
[[nodiscard]] Result<MeasuredRunPtr> measure(const GraphFile& file,
                                             const events::TraceChoice& choice, Progress& progress);

/// The same for the run of a log from which the graph was read. Null when the run has no traced
/// step, or the graph is not from a log. Errors: as above.
[[nodiscard]] Result<MeasuredRunPtr> measure_own(const GraphFile& file, Progress& progress);

/// A copy of `run` with the comparison for these sizes. Errors: those of build_step_graph. Cost:
/// that of tideline::compare, and of the copy.
[[nodiscard]] Result<MeasuredRunPtr> compared(const GraphFile& file, const TensorTable& tensors,
                                              const MeasuredRun& run);

}  // namespace tideline::session
