// A traced step, brought together with its graph: what ran, what each device held, and when.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/units.h"
#include "core/graph/graph.h"
#include "core/graph/step_trace.h"

namespace tideline {

/// One execution of an op: a loop's body has one for each round.
struct MeasuredExecution {
  std::uint32_t row = 0;  ///< index of StepTrace::ops
  OpId op;                ///< invalid when it names no op of the graph
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
};

/// A stretch of memory from its allocation to its release.
struct MeasuredBuffer {
  static constexpr std::int64_t kKept = std::numeric_limits<std::int64_t>::max();
  static constexpr std::uint32_t kNoOutput = 0xffffffffU;

  std::uint32_t execution = 0;       ///< that allocated it, index of MeasuredStep::executions
  std::uint32_t output = kNoOutput;  ///< its first tensor, index of StepTrace::outputs; none:
                                     ///< scratch memory, or a value that is kept inside
  std::uint32_t ordinal = 0;         ///< among the allocations of its execution, from 1
  Bytes bytes = 0;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = kKept;
  [[nodiscard]] bool is_temporary() const { return output == kNoOutput; }
  /// Records count in microseconds: what is released in the one in which it was allocated was there
  /// for a moment.
  [[nodiscard]] bool is_live(std::int64_t at_ns) const {
    return from_ns == at_ns || (from_ns < at_ns && at_ns < to_ns);
  }
};

struct CurvePoint {
  std::int64_t at_ns = 0;
  Bytes bytes = 0;  ///< live from here on
};

/// One device over the traced step, without what was resident before it.
/// Invariants: executions by start, then row; `live` has one entry each; `curve` by time, one point
/// for each time, or two where memory was there for a moment only: the first with it, the second
/// without; peak = the largest of `curve`, not below 0.
struct MeasuredStep {
  static constexpr std::uint32_t kResident = 0xffffffffU;

  std::string_view device;
  std::vector<MeasuredExecution> executions;
  std::vector<MeasuredBuffer> buffers;   ///< by execution, in the order of its records
  std::vector<std::uint32_t> buffer_of;  ///< by StepTrace::outputs; kResident: none of this step
  std::vector<CurvePoint> curve;
  std::vector<Bytes> live;  ///< by execution: most until the next one starts
  /// By execution: most that it had allocated at once and released again before it ended, beside
  /// its outputs.
  std::vector<Bytes> scratch;
  Bytes peak = 0;
  std::int64_t peak_ns = 0;
  std::uint32_t peak_execution = 0;  ///< the last that had started by then
};

/// What is measured, for every device with executions: GPUs first, then by peak. The curve is the
/// running sum of the allocation records. A buffer is told from others by its address and time.
/// Of a device that is no CPU only its own allocators count. Executions that name no op, and
/// releases of what the step did not allocate, are counted in `diagnostics`.
/// Cost: O(rows log rows). Thread: pure; the results look at `trace`.
[[nodiscard]] std::vector<MeasuredStep> measure_step(const Graph& graph, const StepTrace& trace,
                                                     Diagnostics& diagnostics);

/// Records of allocations count in microseconds: what happened in the one in which an op began, it
/// did itself.
[[nodiscard]] constexpr std::int64_t whole_micros(std::int64_t ns) {
  return ns / 1000 * 1000;
}

}  // namespace tideline
