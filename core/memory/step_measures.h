// What a traced step says of the ops of a step graph.
#pragma once

#include <vector>

#include "core/analysis/swap_copies.h"
#include "core/graph/measured_sizes.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// The scratch memory of ops on the device, by op. Cost: O(ops).
void add_measured_scratch(const std::vector<Bytes>& scratch, StepGraph& step);

/// Has `step`, which has its run model, run in the order of the trace if that is of a device of the
/// executor's kind. `copies` that the trace lacks start when they are ready. A step with v1 loops
/// stays as it is. Cost: O(ops).
void add_measured_places(const MeasuredSizes& measured, const SwapCopies& copies, StepGraph& step);

}  // namespace tideline
