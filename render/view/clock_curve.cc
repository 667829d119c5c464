// Problem: on the axis of levels a wait of 100 ms is as wide as an op of a microsecond. Where the
// time of a step goes, and which copy it waits for, shows on an axis of time.
// Idea: the clock (core/memory/step_clock.h) knows when each op of the device begins, and the
// timeline the most that is held from there to the begin of the next one; so a step covers the
// positions from its begin to that of the next step, both included, and a position shows the
// maximum of the steps that cover it. Ops without time, as on the host, stand where the device is.
// The length of a position is a power of ten of nanoseconds, the shortest with which the step has
// at most kMostClockPositions.
// Cost: O(steps + positions).
// Source: own. Tested by tests/unit/view/clock_curve_test.cc.
#include "render/view/clock_curve.h"

#include <algorithm>
#include <cmath>

namespace tideline::render {
namespace {

constexpr double kMostClockPositions = 100'000;

// By step of `timeline`: the position at which the device has got to its op.
std::vector<std::int32_t> begins(const MemoryTimeline& timeline, const StepTime& time,
                                 double unit_ns, std::int32_t count) {
  std::vector<std::int32_t> positions;
  positions.reserve(timeline.schedule.size());
  double now = 0;
  for (const OpId op : timeline.schedule) {
    if (op.index() < time.ops.size() && time.ops[op.index()].end_ns > time.ops[op.index()].begin_ns)
      now = time.ops[op.index()].begin_ns;
    positions.push_back(std::min(static_cast<std::int32_t>(now / unit_ns), count - 1));
  }
  return positions;
}

// The most of the steps that cover each position; `step_at` gets the step that has it.
Curve curve_of(const std::vector<Bytes>& by_step, const std::vector<std::int32_t>& begins,
               std::int32_t count, Bytes before_first, std::vector<std::int32_t>* step_at) {
  std::vector<std::int32_t> best(static_cast<std::size_t>(count), -1);
  const std::size_t steps = std::min(by_step.size(), begins.size());
  const auto cover = [&](std::int32_t at, std::size_t step) {
    std::int32_t& known = best[static_cast<std::size_t>(at)];
    if (known < 0 || by_step[step] > by_step[static_cast<std::size_t>(known)])
      known = static_cast<std::int32_t>(step);
  };
  // Steps of the unedited graph may stand in another order; each position is passed once.
  std::int32_t reached = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    cover(begins[step], step);
    const std::int32_t to = step + 1 < steps ? begins[step + 1] : count - 1;
    while (reached < to) cover(++reached, step);
  }
  std::vector<Bytes> values;
  values.reserve(best.size());
  for (const std::int32_t step : best)
    values.push_back(step < 0 ? before_first : by_step[static_cast<std::size_t>(step)]);
  if (step_at != nullptr) *step_at = std::move(best);
  return Curve(std::move(values));
}

}  // namespace

bool has_clock(const Scene& scene, std::size_t device) {
  if (device >= scene.devices.size()) return false;
  const TimeReport* timing = scene.devices[device].timing;
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

MemoryLayout layout_clock_time(const Scene& scene, std::uint32_t device) {
  MemoryLayout layout;
  layout.axis = MemoryAxis::kTime;
  layout.device = device;
  const auto [unit_ns, count] = clock_positions(scene, device);
  if (count == 0) return layout;
  const DeviceCurves& curves = scene.devices[device];
  const StepTime& time = curves.timing->after;
  layout.count = count;
  layout.unit_ms = unit_ns / 1e6;
  layout.has_after = curves.after != nullptr;
  const MemoryTimeline& before = *curves.before;
  const MemoryTimeline& shown = layout.has_after ? *curves.after : before;
  layout.resident = shown.resident_bytes;
  layout.before_peak = before.device_peak;
  layout.host_peak = shown.host_peak;
  const auto shown_at = begins(shown, time, unit_ns, layout.count);
  const auto before_at = layout.has_after ? begins(before, time, unit_ns, layout.count) : shown_at;
  layout.before = curve_of(before.device, before_at, layout.count, before.resident_bytes,
                           layout.has_after ? nullptr : &layout.step_at);
  layout.before_peak_at = layout.before.largest(0, layout.count);
  layout.host = curve_of(shown.host, shown_at, layout.count, 0, nullptr);
  layout.host_peak_at = layout.host.largest(0, layout.count);
  if (layout.has_after) {
    layout.after_peak = shown.device_peak;
    layout.after =
        curve_of(shown.device, shown_at, layout.count, shown.resident_bytes, &layout.step_at);
    layout.after_peak_at = layout.after.largest(0, layout.count);
  }
  layout.link = layout_link(scene, device);
  return layout;
}

}  // namespace tideline::render
