#include "render/view/memory_view.h"

#include <catch2/catch.hpp>
#include <limits>

#include "render/view/memory_frame.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

struct Made {
  test::SnapshotPtr snapshot;
  Scene scene;
  MemoryLayout layout;

  [[nodiscard]] MemoryLook look() const {
    return {.scene = &scene,
            .memory = &layout,
            .palette = &palette(ThemeKind::kLight),
            .area = {0, 0, 1000, 300},
            .range = {},
            .selected = {},
            .cursor = {}};
  }
};

Made make(std::string_view text, const Policy& policy = {}, MemoryAxis axis = MemoryAxis::kLevel) {
  Made made;
  made.snapshot = test::snapshot_of(text, policy);
  made.scene = made.snapshot->scene();
  made.layout = layout_memory(made.scene, 0, axis);
  return made;
}

test::RecordingCanvas drawn(const MemoryLook& look) {
  test::RecordingCanvas canvas;
  draw_memory(canvas, look);
  CHECK(canvas.open_clips == 0);
  CHECK(canvas.all_finite);
  return canvas;
}

// 256 bytes each; b and c are alive together with d's result.
constexpr const char* kSmall = R"(
  a = MadeUp() f32[4,16]
  b = MadeUp(a) f32[4,16]
  c = MadeUp(a) f32[4,16]
  d = MadeUp(b, c) f32[4,16]
)";

}  // namespace

TEST_CASE("a level shows the most of its steps") {
  const Made made = make(kSmall);
  REQUIRE(made.layout.count == 3);
  CHECK(made.layout.before.at(0) == 256);  // a
  CHECK(made.layout.before.at(1) == 768);  // a b c
  CHECK(made.layout.before.at(2) == 768);  // b c d
  CHECK(made.layout.step_at == std::vector<std::int32_t>{0, 2, 3});
  CHECK(made.layout.before_peak_at == 1);
}

TEST_CASE("the most of a curve is the peak, on both axes, before, after and on the host") {
  const std::string text = test::u_shaped_graph(3, 20);
  for (const MemoryAxis axis : {MemoryAxis::kLevel, MemoryAxis::kStep}) {
    const Made made = make(text, test::swap_policy(5, 2, 0), axis);
    REQUIRE(made.layout.has_after);
    CHECK(made.layout.before.most() == made.scene.devices[0].before->device_peak);
    CHECK(made.layout.after.most() == made.scene.devices[0].after->device_peak);
    CHECK(made.layout.host.most() == made.scene.devices[0].after->host_peak);
    CHECK(made.layout.after_peak < made.layout.before_peak);
    CHECK(made.layout.host_peak > 0);
  }
}

TEST_CASE("a copy counts for the level of the op before it") {
  const Made made = make(test::u_shaped_graph(1, 10), test::swap_policy(5, 2, 0));
  CHECK(made.layout.count == made.scene.levels->count());
  CHECK(make(test::u_shaped_graph(1, 10), test::swap_policy(5, 2, 0), MemoryAxis::kStep)
            .layout.count ==
        static_cast<std::int32_t>(made.scene.devices[0].after->schedule.size()));
}

TEST_CASE("kinds of memory add up to the curve at every step") {
  const char* trained = R"(
    w = VariableV2() f32[64,64]
    x = Placeholder() f32[64,64]
    m = MatMul(x, w) f32[64,64]
    r = Relu(m) f32[64,64]
    c = Const() f32[64,64]
    g = MatMul(r, c) f32[64,64]
    u = ApplyGradientDescent(w, c, g) f32[64,64]
  )";
  for (const Policy& policy : {Policy{}, test::swap_policy(1, 1, 0)}) {
    const Made made = make(trained, policy);
    const MemoryTimeline& shown =
        made.layout.has_after ? *made.scene.devices[0].after : *made.scene.devices[0].before;
    REQUIRE(made.layout.kinds.size() == shown.schedule.size());
    for (std::size_t step = 0; step < shown.schedule.size(); ++step) {
      Bytes sum = 0;
      for (const Bytes bytes : made.layout.kinds[step]) sum += bytes;
      CHECK(sum == shown.device[step]);
    }
  }
}

TEST_CASE("bands add up to the curve, however many there are") {
  const Made made = make(test::u_shaped_graph(2, 30), test::swap_policy(5, 2, 0));
  for (const double detail : {0.0, 0.3, 1.0, 7.0, std::numeric_limits<double>::quiet_NaN()}) {
    MemoryLook look = made.look();
    look.detail_0_1 = detail;
    const MemoryFrame frame = measure_memory(look);
    const auto bands = stack_bands(frame);
    CHECK(bands.size() >= kMemoryKinds);
    CHECK(bands.size() <= kMemoryKinds + kMostOwnBands);
    for (std::size_t i = 0; i < frame.columns.size(); ++i) {
      Bytes sum = 0;
      for (const MemoryBand& band : bands) {
        CHECK(band.bytes[i] >= 0);
        sum += band.bytes[i];
      }
      CHECK(sum == made.layout.after.most(frame.columns[i].begin, frame.columns[i].end));
    }
  }
}

TEST_CASE("what is alive at a position adds up to the curve there") {
  const Made made = make(test::u_shaped_graph(2, 10), test::swap_policy(5, 2, 0));
  for (std::int32_t level = 0; level < made.layout.count; ++level) {
    const LiveRows live = live_at(made.scene, made.layout, level + 0.5, 3);
    CHECK(live.bytes == made.layout.after.at(level));
    CHECK(live.rows.size() <= 3);
    CHECK(live.count >= static_cast<std::int64_t>(live.rows.size()));
    for (const LiveRow& row : live.rows) CHECK(row.from_level <= row.to_level);
  }
  CHECK(live_at(made.scene, made.layout, -1, 9).rows.empty());
  CHECK(live_at(made.scene, made.layout, 1e9, 9).step == -1);
  CHECK(live_at(made.scene, made.layout, std::numeric_limits<double>::quiet_NaN(), 9).count == 0);
}

TEST_CASE("the budget is a line with its value; what does not fit is washed red") {
  const Made made = make(test::u_shaped_graph(2, 30), test::swap_policy(5, 2, 0));
  Made tight = made;
  tight.scene.device_budget = made.layout.before_peak / 2;
  CHECK_FALSE(drawn(made.look()).says("budget"));
  MemoryLook look = tight.look();
  const test::RecordingCanvas canvas = drawn(look);
  CHECK(canvas.says("budget " + format_bytes(tight.scene.device_budget)));
  CHECK(canvas.says("does not fit"));
  CHECK(canvas.areas.size() == drawn(made.look()).areas.size() + 1);
  look.show_original = false;
  CHECK_FALSE(drawn(look).says("does not fit"));
  tight.scene.device_budget = made.layout.before_peak * 100;
  CHECK(drawn(tight.look()).says("above this chart"));
}

TEST_CASE("peaks and the cursor are drawn with their values") {
  const Made made = make(test::u_shaped_graph(2, 30), test::swap_policy(5, 2, 0));
  MemoryLook look = made.look();
  look.cursor = 12.5;
  const test::RecordingCanvas canvas = drawn(look);
  CHECK(canvas.says("original " + format_bytes(made.layout.before_peak)));
  CHECK(canvas.says("peak " + format_bytes(made.layout.after_peak)));
  CHECK(canvas.says("host " + format_bytes(made.layout.host_peak)));
  CHECK(canvas.says("level 12: " + format_bytes(made.layout.after.at(12))));
  CHECK_FALSE(canvas.says("measured"));
  CHECK(canvas.polylines.size() == 3);
}

TEST_CASE("a band under the mouse tells its tensor") {
  const Made made = make(test::u_shaped_graph(1, 10));
  MemoryLook look = made.look();
  look.show_bands = true;
  look.detail_0_1 = 1;
  const MemoryFrame frame = measure_memory(look);
  const Point point = {frame.axis.x(5.5), frame.chart.y1 - 2};
  const MemoryHit hit = hit_memory(look, point);
  REQUIRE(hit.tensor);
  REQUIRE(hit.position);
  CHECK(hit.before == made.layout.before.at(5));
  CHECK_FALSE(hit_memory(look, {-5, 5}).position);
}

TEST_CASE("a million steps are as few shapes as a thousand") {
  const Made made = make(test::u_shaped_graph(20, 300), {}, MemoryAxis::kStep);
  MemoryLook look = made.look();
  look.show_bands = true;
  look.detail_0_1 = 1;
  const test::RecordingCanvas canvas = drawn(look);
  CHECK(canvas.calls < 400);
  CHECK(canvas.points < 1000 * 2 * 130);
}

TEST_CASE("memory of an empty graph, of a device beyond the last, of strange looks is drawn") {
  const Made empty = make("");
  CHECK(drawn(empty.look()).says("Nothing runs"));
  const Made small = make(kSmall);
  CHECK(layout_memory(small.scene, 99, MemoryAxis::kLevel).device == 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  MemoryLook look = small.look();
  look.range = {nan, 1};
  look.cursor = nan;
  for (const Rect area : {Rect{0, 0, 1000, 300}, Rect{0, 0, 0, 0}, Rect{9, 9, 2, 2}}) {
    look.area = area;
    CHECK(drawn(look).calls > 3);
  }
}

}  // namespace tideline::render
