// The estimated time of a step, and the time that its swaps add.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/memory/cost_model.h"
#include "core/memory/faithful.h"

namespace tideline {

/// A swap-in that its first reader has to wait for.
struct LateSwapIn {
  TensorId tensor;  ///< of the copy
  OpId reader;
  std::int64_t wait_ns = 0;
  /// For which its copy found no room on the device, although the link was free.
  std::int64_t room_wait_ns = 0;
};

/// An op that could run but for the device memory that it takes.
struct MemoryWait {
  OpId op;
  Bytes bytes = 0;  ///< that it takes
  std::int64_t wait_ns = 0;
  TensorId freed;            ///< whose memory it waited for, the last one
  bool by_copy_out = false;  ///< that was given back by the end of its copy to the host
};

/// Nothing can begin any more, and nothing runs: the step needs more memory.
struct StuckStep {
  OpId op;           ///< the first that does not run
  Bytes bytes = 0;   ///< the least that anything would hold then: more than the budget
  TensorId copy_in;  ///< that finds no room, where the op waits for one; else invalid
};

/// A copy of a swap over its link, from the beginning of the step.
struct CopyTime {
  TensorId tensor;  ///< the one that is copied out; of a copy in, what the swap-in hands on
  bool to_host = false;
  Bytes bytes = 0;
  double begin_ns = 0, end_ns = 0;
};

/// When an op runs, from the beginning of the step.
struct OpTime {
  double begin_ns = 0;
  double end_ns = 0;
};

struct StepTime {
  std::int64_t compute_ns = 0;  ///< all ops one after the other, without swaps
  std::int64_t added_ns = 0;    ///< waiting for copies and for memory
  std::int64_t memory_ns = 0;   ///< of these: ops that waited for memory alone
  /// Of a traced step of this graph: what it took beside these ops, as for summaries and in pauses.
  std::int64_t rest_ns = 0;
  std::int64_t to_host_ns = 0;  ///< busy time of each link
  std::int64_t to_device_ns = 0;
  Bytes device_peak = 0;                 ///< the most that is held at any moment
  std::optional<Bytes> budget;           ///< of device memory, resident bytes included
  std::optional<StuckStep> stuck;        ///< then times and peak are of what ran before
  std::vector<LateSwapIn> late;          ///< in the order of their readers
  std::vector<MemoryWait> memory_waits;  ///< in the order of the ops
  std::vector<CopyTime> copies;          ///< by begin; those of one direction do not overlap
  std::vector<OpTime> ops;               ///< by op; zeros for one that does not run
  std::int64_t measured_ops = 0;         ///< device ops whose time was measured
  std::int64_t assumed_ops = 0;          ///< whose time follows from flops and bytes
  std::int64_t guessed_ops = 0;          ///< from bytes alone

  [[nodiscard]] std::int64_t step_ns() const { return compute_ns + added_ns + rest_ns; }
};

/// The clock of a step (step_clock.h) without a budget.
[[nodiscard]] StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step,
                                     const CostModel& costs);

/// The time of a step with the shortest and with the longest times that its ops may take
/// (cost_model.h); of no width if all of them were measured.
struct TimeRange {
  std::int64_t least_ns = 0;
  std::int64_t most_ns = 0;
};

/// The time of a step without and with a plan.
struct TimeReport {
  std::int64_t before_ns = 0;
  TimeRange before;
  StepTime after;  ///< as before when there is no plan
  TimeRange after_range;
  /// The most device memory that `after` would hold at any moment if nothing waited for it.
  Bytes held = 0;

  /// How many times as long the step takes with the plan; 1 if it takes no time.
  [[nodiscard]] double factor() const {
    return before_ns > 0 ? static_cast<double>(after.step_ns()) / static_cast<double>(before_ns)
                         : 1.0;
  }
};
/// Of a step without a plan. Cost: three runs of the clock.
[[nodiscard]] TimeReport report_time(const StepGraph& graph, const FaithfulStep& step,
                                     const CostModel& costs);
/// `without`, which is of the same profile, with the plan that gives `graph`. With a budget of
/// device memory the step waits for memory; if it gets stuck, `after` says so, and the rest is
/// without the budget. Cost: three runs of the clock, four with a budget.
[[nodiscard]] TimeReport report_time(TimeReport without, const StepGraph& graph,
                                     const FaithfulStep& step, const CostModel& costs,
                                     std::optional<Bytes> budget = {});

}  // namespace tideline
