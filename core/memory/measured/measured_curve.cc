// Tested by: tests/unit/memory/measured/measured_step_test.cc, tests/golden/measured_test.cc.
#include "core/memory/measured/measured_curve.h"

#include <algorithm>
#include <limits>

namespace tideline {
namespace {

// Reads off what is live while each execution is the last that has started, and where the most is.
void read_off(MeasuredStep& step) {
  step.live.assign(step.executions.size(), 0);
  std::size_t point = 0;
  Bytes now = 0;
  for (std::size_t i = 0; i < step.executions.size(); ++i) {
    const std::int64_t end = i + 1 < step.executions.size()
                                 ? whole_micros(step.executions[i + 1].start_ns)
                                 : std::numeric_limits<std::int64_t>::max();
    Bytes most = now;
    for (; point < step.curve.size() && step.curve[point].at_ns < end; ++point) {
      now = step.curve[point].bytes;
      most = std::max(most, now);
      if (now <= step.peak) continue;
      step.peak = now;
      step.peak_ns = step.curve[point].at_ns;
      step.peak_execution = static_cast<std::uint32_t>(i);
    }
    step.live[i] = most;
  }
}

}  // namespace

// All records, also of unknown buffers. At one timestamp releases come first, except releases of
// buffers allocated at the same time: these buffers were live together.
void draw_curve(const StepTrace& trace, const std::vector<bool>& own, MeasuredStep& step) {
  struct Change {
    std::int64_t at_ns;
    Bytes bytes;
    Bytes for_a_moment;
  };
  std::vector<Change> changes;
  for (const MeasuredExecution& execution : step.executions) {
    for (const TracedMemory& memory : trace.memories_of(trace.ops[execution.row])) {
      if (!own[memory.allocator]) continue;
      for (const AllocationRecord& record : trace.records_of(memory)) {
        changes.push_back({record.at_ns, record.bytes, 0});
      }
    }
  }
  for (const MeasuredBuffer& buffer : step.buffers) {
    if (buffer.to_ns == buffer.from_ns) changes.push_back({buffer.from_ns, 0, buffer.bytes});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.at_ns < b.at_ns; });
  Bytes sum = 0;
  for (std::size_t i = 0; i < changes.size();) {
    const std::int64_t now = changes[i].at_ns;
    Bytes for_a_moment = 0;
    for (; i < changes.size() && changes[i].at_ns == now; ++i) {
      sum += changes[i].bytes;
      for_a_moment += changes[i].for_a_moment;
    }
    if (for_a_moment > 0) step.curve.push_back({now, sum + for_a_moment});
    step.curve.push_back({now, sum});
  }
  read_off(step);
}

}  // namespace tideline
