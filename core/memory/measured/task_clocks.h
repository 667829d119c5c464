// The clocks of the processes that ran a traced step of a cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/graph/step_trace.h"

namespace tideline {

/// The clock of one process.
struct TaskClock {
  std::string task;           ///< "/job:worker/task:1"
  bool is_reference = false;  ///< its clock counts
  std::int64_t added_ns = 0;  ///< to its times, to have those of the reference's clock
  /// What could be added as well, as far as messages in both directions tell; without them nothing
  /// is added.
  std::optional<std::int64_t> least_ns = {}, most_ns = {};
};

/// By task of the trace. The reference is the task that can be compared with most others, the first
/// of several. Empty for a trace of one process, or of more than 512. The offset is estimated from
/// what tasks sent each other: nothing arrives before it was made. Of the offsets that are possible
/// the one nearest to 0 is taken, so that clocks that agree stay as they are. Cost: O(rows log
/// rows). Thread: pure.
[[nodiscard]] std::vector<TaskClock> task_clocks(const StepTrace& trace);

/// Moves the times of `trace` to the clock of the reference, and says so in `diagnostics` if any
/// were moved, or if a task's clock cannot be compared.
void put_on_one_clock(StepTrace& trace, Diagnostics& diagnostics);

}  // namespace tideline
