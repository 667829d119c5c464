// Tested by tests/unit/actions/commands_view_test.cc.
#include "render/model/shown_axis.h"

#include <algorithm>
#include <limits>

#include "render/view/clock_curve.h"
#include "render/view/measured_curve.h"

namespace tideline::ui {
namespace {

constexpr double kMsPerUs = 1e-3;
constexpr double kNsPerUs = 1e3;

}  // namespace

int timeline_positions(const StepTrace& trace) {
  constexpr std::uint64_t kMostUs = 2'000'000'000;
  std::int64_t begin_ns = std::numeric_limits<std::int64_t>::max();
  for (const TracedOp& op : trace.ops) begin_ns = std::min(begin_ns, op.start_ns);
  std::uint64_t most = 0;
  for (const TracedOp& op : trace.ops) {
    // Unsigned: a hostile file may have any times.
    const std::uint64_t since =
        static_cast<std::uint64_t>(op.start_ns) - static_cast<std::uint64_t>(begin_ns);
    most = std::max(
        most, since / 1000 + static_cast<std::uint64_t>(op.duration_ns) / 1000 +
                  (since % 1000 + static_cast<std::uint64_t>(op.duration_ns) % 1000 + 999) / 1000);
  }
  return static_cast<int>(std::clamp<std::uint64_t>(most, 1, kMostUs));
}

ShownAxis shown_axis(const render::Scene& scene, ViewState& view) {
  const std::size_t device = std::min<std::size_t>(view.device, scene.devices.size() - 1);
  const ShownAxis levels = {&view.axis, scene.levels->count()};
  if (view.tab == Tab::kTimeline && scene.measured != nullptr) {
    return {&view.trace, timeline_positions(scene.measured->trace), 1};
  }
  if (view.tab == Tab::kScopes) return {&view.scopes, render::kScopePositions};
  if (view.tab != Tab::kMemory) return levels;
  switch (view.memory_axis) {
    case AxisKind::kLevel: break;
    case AxisKind::kStep: {
      const auto& curves = scene.devices[device];
      const MemoryTimeline& step = curves.after != nullptr ? *curves.after : *curves.before;
      return {&view.steps, static_cast<int>(step.schedule.size())};
    }
    case AxisKind::kMeasuredTime: {
      if (scene.measured == nullptr) break;
      const auto time = render::layout_measured_time(scene, static_cast<std::uint32_t>(device));
      return {&view.times, time.count, time.unit_ms > 0 ? kMsPerUs / time.unit_ms : 0};
    }
    case AxisKind::kTime: {
      if (!render::has_clock(scene, device)) break;
      const render::ClockPositions time = render::clock_positions(scene, device);
      return {&view.clock, time.count, kNsPerUs / time.unit_ns};
    }
  }
  return levels;
}

}  // namespace tideline::ui
