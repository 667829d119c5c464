// The memory of a traced step over time.
#pragma once

#include <vector>

#include "core/graph/step_trace.h"
#include "core/memory/measured/measured_step.h"

namespace tideline {

/// Fills curve, live and the peak of `step` from the records of its executions; its buffers are
/// known. `own`: by allocator, whether what it gives out is memory of the step's device.
/// Cost: O(records log records). Thread: pure.
void draw_curve(const StepTrace& trace, const std::vector<bool>& own, MeasuredStep& step);

}  // namespace tideline
