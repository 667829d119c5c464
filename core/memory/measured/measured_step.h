// A traced step matched with its graph: executions, buffers and live bytes of each device.
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

/// One execution of an op; ops of a loop body have one per iteration.
struct MeasuredExecution {
  std::uint32_t row = 0;  ///< index of StepTrace::ops
  OpId op;                ///< invalid when it names no op of the graph
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
};

/// A buffer from its allocation to its release.
struct MeasuredBuffer {
  static constexpr std::int64_t kKept = std::numeric_limits<std::int64_t>::max();
  static constexpr std::uint32_t kNoOutput = 0xffffffffU;

  std::uint32_t execution = 0;       ///< the allocating one, index of MeasuredStep::executions
  std::uint32_t output = kNoOutput;  ///< its first tensor, index of StepTrace::outputs; kNoOutput:
                                     ///< scratch memory, or a value kept inside the op
  std::uint32_t ordinal = 0;         ///< among the allocations of its execution, from 1
  Bytes bytes = 0;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = kKept;
  [[nodiscard]] bool is_temporary() const { return output == kNoOutput; }
  /// Timestamps are whole microseconds: a buffer released in the microsecond of its allocation is
  /// live at that one timestamp.
  [[nodiscard]] bool is_live(std::int64_t at_ns) const {
    return from_ns == at_ns || (from_ns < at_ns && at_ns < to_ns);
  }
};

struct CurvePoint {
  std::int64_t at_ns = 0;
  Bytes bytes = 0;  ///< live from here on
};

/// One device during the traced step, without what was resident before it.
/// Invariants: executions are sorted by start, then row; `live` has one entry for each; `curve` is
/// sorted by time, with one point per timestamp, or two where memory was allocated and released in
/// the same microsecond (first with it, then without); peak is the largest of `curve`, at least 0.
struct MeasuredStep {
  static constexpr std::uint32_t kResident = 0xffffffffU;

  std::string_view device;
  std::vector<MeasuredExecution> executions;
  std::vector<MeasuredBuffer> buffers;   ///< by execution, in the order of its records
  std::vector<std::uint32_t> buffer_of;  ///< by StepTrace::outputs; kResident: not of this step
  std::vector<CurvePoint> curve;
  std::vector<Bytes> live;  ///< by execution: the peak until the next one starts
  /// By execution: peak of the memory, other than outputs, that it allocated and released again.
  std::vector<Bytes> scratch;
  Bytes peak = 0;
  std::int64_t peak_ns = 0;
  std::uint32_t peak_execution = 0;  ///< the last that had started by then

  /// False if the trace has times alone, as the trace of a simulated step has: then nothing is
  /// known of its memory, and `live` and `peak` are 0.
  [[nodiscard]] bool has_memory() const { return !curve.empty(); }
};

/// The measurements of every device with executions: GPUs first, then by peak. The curve is the
/// running sum of the allocation records. Buffers are identified by address and time. For devices
/// other than CPUs only their own allocators count. Executions that name no op, and releases of
/// memory that the step did not allocate, are counted in `diagnostics`.
/// Cost: O(rows log rows). Thread: pure; the results refer to `trace`.
[[nodiscard]] std::vector<MeasuredStep> measure_step(const Graph& graph, const StepTrace& trace,
                                                     Diagnostics& diagnostics);

/// Rounds down to microseconds, the resolution of allocation records: an allocation stamped in an
/// op's first microsecond belongs to that op.
[[nodiscard]] constexpr std::int64_t whole_micros(std::int64_t ns) {
  return ns / 1000 * 1000;
}

}  // namespace tideline
