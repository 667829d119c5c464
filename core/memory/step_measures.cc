// Tested by unit/memory/executor_order_test.cc and golden/cases/measured.txt.
#include "core/memory/step_measures.h"

#include <algorithm>

namespace tideline {

void add_measured_scratch(const std::vector<Bytes>& scratch, StepGraph& step) {
  const std::size_t count = std::min(scratch.size(), step.ops.size());
  for (std::size_t op = 0; op < count; ++op) {
    if (step.ops[op].space == Space::kDevice) step.ops[op].scratch = scratch[op];
  }
}

void add_measured_places(const MeasuredSizes& measured, const SwapCopies& copies, StepGraph& step) {
  if (step.rounds || measured.is_of_gpu != (step.run.executor == Executor::kGpu)) return;
  const std::size_t count = std::min(measured.places.size(), step.ops.size());
  for (std::uint32_t op = 0; op < count; ++op) {
    const bool is_new = measured.places[op] < 0 && copies.contains(OpId{op});
    step.ops[op].place = is_new ? StepOp::kStartsWhenReady : measured.places[op];
  }
  step.run.is_in_traced_order = count > 0;
}

}  // namespace tideline
