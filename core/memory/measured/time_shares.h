// How the time of a traced step divides among its ops.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/step_trace.h"

namespace tideline {

/// The times of a trace, from its first execution on. A hostile file may have any; those that lie
/// further than 2^62 ns from the first are cut.
class TraceClock {
 public:
  explicit TraceClock(const StepTrace& trace);

  /// In the trace's time.
  [[nodiscard]] std::int64_t begin_ns() const { return begin_; }
  /// From the first beginning to the last end, of anything on any device.
  [[nodiscard]] std::int64_t span_ns() const { return span_; }
  [[nodiscard]] std::int64_t start_of(const TracedOp& row) const;
  /// Not before its start.
  [[nodiscard]] std::int64_t end_of(const TracedOp& row) const;

 private:
  std::int64_t begin_;
  std::int64_t span_ = 0;
};

/// By op: the nanoseconds that it had of its device, in all its executions together; -1 for ops
/// that are not in the trace. Of executions that run at the same time on a device each has an equal
/// part, so that all of them together take no longer than the step. On devices with kernel rows, an
/// op has the time of its kernels. Cost: O(rows log rows). Thread: pure.
[[nodiscard]] std::vector<std::int64_t> measured_times(const Graph& graph, const StepTrace& trace);

}  // namespace tideline
