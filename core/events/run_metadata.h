// Reads RunMetadata, which TensorFlow writes for a traced step, into columns.
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/source_bytes.h"
#include "core/graph/step_trace.h"

namespace tideline::events {

/// Reads the StepStats of an encoded RunMetadata. Impossible times (negative, or overflowing 64
/// bits of nanoseconds), sizes, slots and shapes are dropped from their row and counted in
/// `diagnostics`. Errors: kCorrupt for damaged bytes, with their offset, and for sizes so large
/// that sums could overflow; kNotFound when no execution is recorded. Cost: O(bytes). Thread: pure.
[[nodiscard]] Result<StepTrace> read_run_metadata(const SharedBytes& bytes,
                                                  Diagnostics& diagnostics);

}  // namespace tideline::events
