// Problem: timelines are indexed by step, and the steps of the original and the rewritten graph
// differ; the picture has one axis for both, often the levels.
// Idea: every step has a position. On the axis of levels it is the level of its op in the original
// graph; a copy, which has no level there, gets the level of the last original op before it; where
// ops do not run by level, it is the level that the step has reached (level_memory.h). On the
// axis of steps it is the step itself, and a step of the other timeline gets the position of the
// same op; on that of time it is where the device has got to its op (clock_curve.h), and the step
// lasts until the next one. A position shows the maximum of its steps, so no peak is lost; one
// without steps repeats the value before it.
// Example: steps a (level 0), b (1), copy, c (2): the copy counts for level 1.
// Cost: O(steps + buffers).
// Source: own. Tested by tests/unit/view/memory_view_test.cc and tests/property/view_property.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory/level_memory.h"
#include "render/view/clock_curve.h"
#include "render/view/measured_curve.h"
#include "render/view/memory_runs.h"
#include "render/view/memory_view.h"

namespace tideline::render {
namespace {

// Positions of the steps of one timeline.
std::vector<std::int32_t> by_level(const Scene& scene, const MemoryTimeline& timeline) {
  std::vector<std::int32_t> positions;
  positions.reserve(timeline.schedule.size());
  std::int32_t last = 0;
  for (const OpId op : timeline.schedule) {
    if (op.value < scene.graph->op_count()) last = std::max(0, scene.levels->level(op));
    positions.push_back(last);
  }
  return rising_levels(positions, timeline.device);
}

std::vector<std::int32_t> by_step(const MemoryTimeline& timeline, const MemoryTimeline& shown) {
  const std::vector<std::int32_t> step_of = steps_by_op(shown);
  std::vector<std::int32_t> positions;
  std::int32_t last = 0;
  for (const OpId op : timeline.schedule) {
    if (op.index() < step_of.size() && step_of[op.index()] >= 0) last = step_of[op.index()];
    positions.push_back(last);
  }
  return positions;
}

Curve make_curve(const std::vector<Bytes>& by_step, const std::vector<std::int32_t>& positions,
                 const MemoryLayout& layout, Bytes before_first,
                 std::vector<std::int32_t>* step_at) {
  return curve_of_steps(by_step, positions, layout.count, before_first, step_at,
                        layout.axis == MemoryAxis::kTime);
}

void count_kinds(const FaithfulStep& step, MemoryLayout& layout) {
  const std::size_t steps = step.timeline.schedule.size();
  layout.kinds.assign(steps + 1, {});
  for (const StepBuffer& buffer : step.buffers) {
    if (buffer.space != Space::kDevice || buffer.to_step < buffer.from_step) continue;
    const auto kind = static_cast<std::size_t>(buffer.kind);
    const auto from = buffer.is_pinned ? 0 : static_cast<std::size_t>(buffer.from_step);
    const auto past = buffer.is_pinned ? steps : static_cast<std::size_t>(buffer.to_step) + 1;
    layout.kinds[std::min(from, steps)][kind] += buffer.bytes;
    layout.kinds[std::min(past, steps)][kind] -= buffer.bytes;
  }
  for (std::size_t i = 1; i < steps; ++i) {
    for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
      layout.kinds[i][kind] += layout.kinds[i - 1][kind];
    }
  }
  layout.kinds.pop_back();
  // Variables and slots have no buffers; at the peak all is listed.
  const auto peak = static_cast<std::size_t>(std::max(0, step.timeline.peak_step));
  if (peak >= steps || step.timeline.peak_by_kind.size() < kMemoryKinds) return;
  const std::array<Bytes, kMemoryKinds> at_peak = layout.kinds[peak];
  for (auto& kinds : layout.kinds) {
    for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
      kinds[kind] += std::max<Bytes>(0, step.timeline.peak_by_kind[kind] - at_peak[kind]);
    }
  }
}

void find_large(const FaithfulStep& step, MemoryLayout& layout) {
  for (std::uint32_t i = 0; i < step.buffers.size(); ++i) {
    const StepBuffer& buffer = step.buffers[i];
    if (buffer.space == Space::kDevice && buffer.bytes > 0 && !buffer.is_pinned) {
      layout.large_buffers.push_back(i);
    }
  }
  const auto end = layout.large_buffers.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                      kMostOwnBands, layout.large_buffers.size()));
  std::partial_sort(layout.large_buffers.begin(), end, layout.large_buffers.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      const Bytes x = step.buffers[a].bytes;
                      const Bytes y = step.buffers[b].bytes;
                      return x != y ? x > y : a < b;
                    });
  layout.large_buffers.erase(end, layout.large_buffers.end());
}

}  // namespace

std::vector<std::int32_t> steps_by_op(const MemoryTimeline& timeline) {
  std::vector<std::int32_t> step_of;
  for (std::size_t step = 0; step < timeline.schedule.size(); ++step) {
    const std::size_t op = timeline.schedule[step].index();
    if (op >= step_of.size()) step_of.resize(op + 1, -1);
    step_of[op] = static_cast<std::int32_t>(step);
  }
  return step_of;
}

std::string position_text(const MemoryLayout& memory, double position) {
  switch (memory.axis) {
    case MemoryAxis::kLevel: return fmt::format("level {:.0f}", std::floor(position));
    case MemoryAxis::kStep: return fmt::format("step {:.0f}", std::floor(position));
    case MemoryAxis::kMeasuredTime:
    case MemoryAxis::kTime: break;
  }
  return fmt::format("{:g} ms", std::floor(position) * memory.unit_ms);
}

MemoryLayout layout_memory(const Scene& scene, std::size_t device, MemoryAxis axis) {
  MemoryLayout layout;
  layout.axis = axis;
  if (scene.devices.empty()) return layout;
  layout.device = static_cast<std::uint32_t>(std::min(device, scene.devices.size() - 1));
  const DeviceCurves& curves = scene.devices[layout.device];
  if (curves.before == nullptr) return layout;
  if (axis == MemoryAxis::kMeasuredTime) return layout_measured_time(scene, layout.device);
  if (axis == MemoryAxis::kStep && !scene.runs.empty()) return layout_runs(scene);
  layout.has_after = curves.after != nullptr;
  const MemoryTimeline& before = *curves.before;
  const MemoryTimeline& shown = layout.has_after ? *curves.after : before;
  const ClockPositions clock =
      axis == MemoryAxis::kTime ? clock_positions(scene, layout.device) : ClockPositions{};
  if (axis == MemoryAxis::kTime) {
    layout.count = clock.count;
    layout.unit_ms = clock.unit_ns / 1e6;
    if (layout.count == 0) return layout;
    layout.link = layout_link(scene, layout.device);
  } else {
    layout.count = axis == MemoryAxis::kLevel ? scene.levels->count()
                                              : static_cast<std::int32_t>(shown.schedule.size());
  }
  const auto positions_of = [&](const MemoryTimeline& timeline) {
    if (axis == MemoryAxis::kTime) return clock_begins(scene, layout.device, timeline, clock);
    return axis == MemoryAxis::kLevel ? by_level(scene, timeline) : by_step(timeline, shown);
  };
  layout.resident = shown.resident_bytes;
  layout.before_peak = before.device_peak;
  layout.host_peak = shown.host_peak;
  const auto before_at = positions_of(before);
  const auto shown_at = positions_of(shown);
  layout.before = make_curve(before.device, before_at, layout, before.resident_bytes,
                             layout.has_after ? nullptr : &layout.step_at);
  layout.host = make_curve(shown.host, shown_at, layout, 0, nullptr);
  layout.before_peak_at = layout.before.largest(0, layout.count);
  layout.host_peak_at = layout.host.largest(0, layout.count);
  if (layout.has_after) {
    layout.after_peak = shown.device_peak;
    layout.after =
        make_curve(shown.device, shown_at, layout, shown.resident_bytes, &layout.step_at);
    layout.after_peak_at = layout.after.largest(0, layout.count);
  }
  if (axis != MemoryAxis::kTime) add_measured(scene, shown, layout);
  const FaithfulStep* step = layout.has_after ? curves.after_step : curves.before_step;
  if (step != nullptr) {
    count_kinds(*step, layout);
    find_large(*step, layout);
  }
  return layout;
}

}  // namespace tideline::render
