#include "render/view/clock_curve.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "render/model/hover_text.h"
#include "render/view/memory_frame.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

struct OverTime {
  test::SnapshotPtr snapshot;
  Scene scene;
  MemoryLayout memory;

  explicit OverTime(const Policy& policy)
      : snapshot(test::snapshot_of(test::u_shaped_graph(2, 30), policy)),
        scene(snapshot->scene()),
        memory(layout_memory(scene, 0, MemoryAxis::kTime)) {}

  [[nodiscard]] MemoryLook look(float height = 800) const {
    MemoryLook look;
    look.scene = &scene;
    look.memory = &memory;
    look.palette = &palette(ThemeKind::kDark);
    look.area = {0, 0, 1600, height};
    return look;
  }
  [[nodiscard]] const StepTime& time() const { return scene.devices.front().timing->after; }
};

Policy swapping() {
  return test::swap_policy(5, 2, 0);
}

}  // namespace

TEST_CASE("over time the curves keep their peaks, and the axis is as long as the step") {
  for (const Policy& policy : {Policy{}, swapping()}) {
    const OverTime made(policy);
    const MemoryLayout levels = layout_memory(made.scene, 0, MemoryAxis::kLevel);
    REQUIRE(made.memory.count > 50);
    CHECK(made.memory.before_peak == levels.before_peak);
    CHECK(made.memory.before.most() == levels.before_peak);
    CHECK(made.memory.after.most() == levels.after.most());
    CHECK(made.memory.host.most() == levels.host.most());
    double end_ns = 0;
    for (const OpTime& op : made.time().ops) end_ns = std::max(end_ns, op.end_ns);
    for (const CopyTime& copy : made.time().copies) end_ns = std::max(end_ns, copy.end_ns);
    CHECK(made.memory.count == static_cast<int>(end_ns / made.memory.unit_ns()) + 1);
  }
}

TEST_CASE("at the moment of the peak the op runs that has it") {
  const OverTime made(swapping());
  const auto step = made.memory.step_at[static_cast<std::size_t>(made.memory.after_peak_at)];
  const MemoryTimeline& after = *made.scene.devices.front().after;
  CHECK(after.device[static_cast<std::size_t>(step)] == after.device_peak);
  const LiveRows live = live_at(made.scene, made.memory, made.memory.after_peak_at, 1000);
  CHECK(live.bytes + made.memory.resident >= after.device_peak);
  CHECK(live.count > 0);
}

TEST_CASE("a wait is as wide as its time, and memory stands still in it") {
  const OverTime made(swapping());
  REQUIRE_FALSE(made.memory.link.stalls.empty());
  const auto longest =
      std::max_element(made.memory.link.stalls.begin(), made.memory.link.stalls.end(),
                       [](const LinkStall& a, const LinkStall& b) {
                         return a.end_ns - a.begin_ns < b.end_ns - b.begin_ns;
                       });
  const double unit = made.memory.unit_ns();
  const auto from = static_cast<int>(std::ceil(longest->begin_ns / unit));
  const auto to = static_cast<int>(longest->end_ns / unit);
  REQUIRE(to > from + 1);
  const auto& step_at = made.memory.step_at;
  CHECK(step_at[static_cast<std::size_t>(from)] == step_at[static_cast<std::size_t>(to - 1)]);
}

TEST_CASE(
    "the link track over time draws each copy where it runs, and a click selects its tensor") {
  const OverTime made(swapping());
  const MemoryLook look = made.look();
  const MemoryFrame frame = measure_memory(look);
  REQUIRE(frame.link.height() > 0);
  CHECK(frame.chart.y0 >= frame.link.y1);
  const LinkSlice& slice = made.memory.link.to_device.front();
  const double middle = (slice.begin_ns + slice.end_ns) / 2 / made.memory.unit_ns();
  const float x = frame.axis.x(middle);
  bool is_found = false;
  for (float y = frame.link.y0; y < frame.link.y1; y += 1) {
    const MemoryHit hit = hit_memory(look, {x, y});
    if (hit.item.kind != HitKind::kCopyIn) continue;
    is_found = true;
    REQUIRE(hit.tensor == slice.tensor);
    const auto lines = ui::hover_lines(look, hit);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == made.scene.graph->tensor_name(slice.tensor));
    CHECK(lines[1].ends_with(" GB/s"));
  }
  CHECK(is_found);
  test::RecordingCanvas canvas;
  draw_memory(canvas, look);
  CHECK(canvas.says("LINK: out busy"));
  CHECK(canvas.says("ms"));
}

TEST_CASE("in a low window the chart keeps its room, and the track over time is left out") {
  const OverTime made(swapping());
  CHECK(measure_memory(made.look(120)).link.height() == 0);
  CHECK(measure_memory(made.look(120)).chart.height() > 0);
}

TEST_CASE("a legend without room is said where the mouse is on the ticks, and the axis says so") {
  const OverTime made(swapping());
  const MemoryLook low = made.look(60);
  const MemoryFrame frame = measure_memory(low);
  REQUIRE(frame.words.is_folded);
  const MemoryHit hit = hit_memory(low, {800, (frame.ticks.y0 + frame.ticks.y1) / 2});
  const auto lines = ui::hover_lines(low, hit);
  const std::vector<LegendEntry> entries = legend_entries(frame);
  REQUIRE(entries.size() > 2);
  REQUIRE(lines.size() == entries.size());
  CHECK(lines.front() == entries.front().text);
  test::RecordingCanvas canvas;
  draw_memory(canvas, low);
  CHECK(canvas.says("legend: point here | ms"));
  const MemoryLook high = made.look();
  const MemoryFrame open = measure_memory(high);
  CHECK_FALSE(open.words.is_folded);
  CHECK(hit_memory(high, {800, open.ticks.y0 + 2}).item.kind == HitKind::kNothing);
}

TEST_CASE("over time there is no track without swaps, and nothing without a clock") {
  const OverTime made(Policy{});
  CHECK(measure_memory(made.look()).link.height() == 0);
  Scene scene = made.scene;
  CHECK(has_clock(scene, 0));
  scene.devices.front().timing = nullptr;
  CHECK_FALSE(has_clock(scene, 0));
  CHECK(layout_memory(scene, 0, MemoryAxis::kTime).count == 0);
}

TEST_CASE("over time a step of the unedited graph stands where its op runs with the policy") {
  const OverTime made(swapping());
  const MemoryTimeline& before = *made.scene.devices.front().before;
  for (std::size_t step = 0; step < before.schedule.size(); ++step) {
    const std::int32_t at = clock_position(made.scene, made.memory, before.schedule[step]);
    if (at < 0) continue;
    CHECK(made.memory.before.at(at) >= before.device[step]);
  }
}

}  // namespace tideline::render
