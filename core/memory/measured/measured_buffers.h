// The buffers of a traced step, and which output lies in which of them.
#pragma once

#include <vector>

#include "core/base/diagnostics.h"
#include "core/graph/step_trace.h"
#include "core/memory/measured/measured_step.h"

namespace tideline {

/// Fills buffers, buffer_of and scratch of `step` for its executions. `own`: by allocator, whether
/// what it gives out is memory of the step's device. Releases of what the step did not allocate are
/// counted in `diagnostics`. Cost: O(rows log rows). Thread: pure.
void find_buffers(const StepTrace& trace, const std::vector<bool>& own, MeasuredStep& step,
                  Diagnostics& diagnostics);

}  // namespace tideline
