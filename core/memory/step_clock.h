// The clock of a step: when ops and copies run if device memory is limited, and what is held then.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/memory/clock_input.h"
#include "core/memory/step_time.h"

namespace tideline {

/// A step as the clock sees it. Device ops run one after the other in the order of the step, each
/// for the time in `costs`; each direction of the link copies one tensor of a swap at a time, in
/// the order in which the copies become ready. With a budget an op or a copy to the device begins
/// only when its bytes fit beside those that are held, the resident ones included.
/// Everything passed in must outlive it. Thread: immutable, any number of readers.
class StepClock {
 public:
  /// `step` is of `graph`. Cost: O(ops + edges + copies log copies).
  StepClock(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs);

  /// Cost: O(ops + edges + copies log copies), as each of the following.
  [[nodiscard]] StepTime time(std::optional<Bytes> budget = {}) const;
  /// The least and the most of the steps with the usual, the shortest and the longest times of ops
  /// (cost_model.h), of those that get to their end; of no width if all ops were measured.
  [[nodiscard]] TimeRange range(const StepTime& usual) const;
  /// A budget below `below` with which the step gets to its end, found by bisection, or
  /// `below` if the step gets stuck with a byte less. Less may do where copies happen to meet
  /// better. Cost: a run; if there is less, one more for each bit.
  [[nodiscard]] Bytes least_memory(Bytes below) const;
  /// The step with the buffers, the memory at every step and the peak that the clock sees: live
  /// bytes at a step are the most that is held from the begin of its op to that of the next one. A
  /// buffer that is not there at these moments has no step (to_step < from_step). What host memory
  /// holds is not changed.
  [[nodiscard]] FaithfulStep timeline(std::optional<Bytes> budget) const;

 private:
  const StepGraph& graph_;
  const FaithfulStep& step_;
  ClockInput input_;
};

/// As report_time (step_time.h).
[[nodiscard]] TimeReport report_time(TimeReport without, const StepClock& clock,
                                     std::optional<Bytes> budget);

}  // namespace tideline
