// Problem: on the axis of levels a wait of 100 ms is as wide as an op of a microsecond. Where the
// time of a step goes, and which copy it waits for, shows on an axis of time.
// Idea: the clock (core/memory/step_clock.h) knows when each op of the device begins, and the
// timeline the most that is held from there to the begin of the next one; so a step covers the
// positions from its begin to that of the next step, both included, and a position shows the
// maximum of the steps that cover it (memory_layout.cc). Ops without time, as on the host, stand
// where the device is. The length of a position is a power of ten of nanoseconds, the shortest with
// which the step has at most kMostClockPositions. Cost: O(steps + positions). Source: own. Tested
// by tests/unit/view/clock_curve_test.cc.
#include "render/view/clock_curve.h"

#include <algorithm>
#include <cmath>

namespace tideline::render {
namespace {

constexpr double kMostClockPositions = 100'000;

}  // namespace

bool has_clock(const Scene& scene, std::size_t device) {
  if (scene.devices.empty()) return false;
  const TimeReport* timing = scene.devices[std::min(device, scene.devices.size() - 1)].timing;
  return timing != nullptr && timing->after.compute_ns > 0;
}

ClockPositions clock_positions(const Scene& scene, std::size_t device) {
  if (device >= scene.devices.size() || scene.devices[device].timing == nullptr) return {};
  const StepTime& time = scene.devices[device].timing->after;
  double end_ns = 0;
  for (const OpTime& op : time.ops) end_ns = std::max(end_ns, op.end_ns);
  for (const CopyTime& copy : time.copies) end_ns = std::max(end_ns, copy.end_ns);
  ClockPositions positions;
  if (!(end_ns > 0) || !std::isfinite(end_ns)) return positions;
  while (end_ns / positions.unit_ns >= kMostClockPositions) positions.unit_ns *= 10;
  positions.count = static_cast<std::int32_t>(end_ns / positions.unit_ns) + 1;
  return positions;
}

std::int32_t clock_position(const Scene& scene, const MemoryLayout& memory, OpId op) {
  const std::vector<OpTime>& ops = scene.devices[memory.device].timing->after.ops;
  if (op.index() >= ops.size() || ops[op.index()].end_ns <= ops[op.index()].begin_ns) return -1;
  return static_cast<std::int32_t>(ops[op.index()].begin_ns / (memory.unit_ns()));
}

std::vector<std::int32_t> clock_begins(const Scene& scene, std::size_t device,
                                       const MemoryTimeline& timeline, ClockPositions positions) {
  const std::vector<OpTime>& ops = scene.devices[device].timing->after.ops;
  std::vector<std::int32_t> begins;
  begins.reserve(timeline.schedule.size());
  double now = 0;
  for (const OpId op : timeline.schedule) {
    if (op.index() < ops.size() && ops[op.index()].end_ns > ops[op.index()].begin_ns)
      now = ops[op.index()].begin_ns;
    begins.push_back(
        std::min(static_cast<std::int32_t>(now / positions.unit_ns), positions.count - 1));
  }
  return begins;
}

}  // namespace tideline::render
