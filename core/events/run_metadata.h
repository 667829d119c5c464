// RunMetadata, as TensorFlow writes it for a traced step, into columns.
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/graph/step_trace.h"

namespace tideline::events {

/// Reads the StepStats of an encoded RunMetadata. Rows with impossible times (negative, or past
/// what 64 bits count in nanoseconds), sizes, slots or shapes are kept without those, and counted
/// in `diagnostics`. Errors: kCorrupt for damaged bytes, with their place, and when the sizes are
/// so large that sums could overflow; kNotFound when no execution is recorded. Cost: O(bytes).
/// Thread: pure.
[[nodiscard]] Result<StepTrace> read_run_metadata(const SharedBytes& bytes,
                                                  Diagnostics& diagnostics);

}  // namespace tideline::events
