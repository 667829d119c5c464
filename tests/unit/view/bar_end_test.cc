#include "render/view/bar_end.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "render/view/levels_frame.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

// a goes to the host at level 2 and is read at levels 6 and 9; with group-by 0 it comes back twice.
constexpr const char* const kTwoReaders =
    "x = Placeholder() f32[4,4]\n a = Relu(x) f32[4,4]\n b = Relu(a) f32[4,4]\n"
    "c = Relu(b) f32[4,4]\n d = Relu(c) f32[4,4]\n e = Relu(d) f32[4,4]\n"
    "f = AddN(e, a) +N=2 +T=f32 f32[4,4]\n g = Relu(f) f32[4,4]\n h = Relu(g) f32[4,4]\n"
    "i = AddN(h, a) +N=2 +T=f32 f32[4,4]\n j = Relu(i) f32[4,4]\n";

struct Bars {
  test::SnapshotPtr snapshot = test::snapshot_of(kTwoReaders, test::swap_policy(4, 1, 0));
  Scene scene = snapshot->scene();
  LevelsLayout layout = layout_levels(scene);

  [[nodiscard]] LevelsLook look() const {
    return {.scene = &scene,
            .ops = &layout.ops,
            .swaps = &layout.swaps,
            .palette = &palette(ThemeKind::kDark),
            .area = {0, 0, 1100, 700},
            .range = {},
            .selected = {},
            .hovered = {},
            .cursor = {}};
  }
};

}  // namespace

TEST_CASE("The mouse takes hold of the end of a bar, and of the ticks on it", "[levels]") {
  const Bars bars;
  const LevelsLook look = bars.look();
  const LevelsFrame frame = measure_levels(look);
  REQUIRE(frame.placed.size() == 1);
  const Rect& bar = frame.placed[0].rect;
  const float y = (bar.y0 + bar.y1) / 2;
  REQUIRE(look.swaps->spans.size() == 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const SwapSpan& span = look.swaps->spans[i];
    const float x = frame.axis.x(span.in_level);
    for (const float beside : {-3.0F, 0.0F, 3.0F}) {
      const auto end = bar_end_at(look, {x + beside, y});
      REQUIRE(end);
      CHECK(end->span == i);
      CHECK(end->first_level == 3);  // the copy out is there at level 2
      CHECK(end->last_level == span.consumer_level - 1);
    }
    CHECK_FALSE(bar_end_at(look, {x + 8, y}));
    CHECK_FALSE(bar_end_at(look, {x, bar.y1 + 5}));
  }
  CHECK_FALSE(bar_end_at(look, {frame.axis.x(2), y}));  // where it leaves
  const TensorId a = {bars.scene.graph->find("a"), 0};
  CHECK(bar_end_of(look, a, 1)->span == 1);
  CHECK_FALSE(bar_end_of(look, a, 2));
  CHECK_FALSE(bar_end_of(look, {bars.scene.graph->find("b"), 0}, 0));
}

TEST_CASE("A moved end keeps to the levels that it may have", "[levels]") {
  const BarEnd end = {0, 3, 8};
  CHECK(end.nearest(-100) == 3);
  CHECK(end.nearest(3.4) == 3);
  CHECK(end.nearest(3.6) == 4);
  CHECK(end.nearest(1e30) == 8);
  CHECK(end.nearest(std::numeric_limits<double>::quiet_NaN()) == 3);
}

TEST_CASE("A moved end is drawn with its text, inside of the view", "[levels]") {
  const Bars bars;
  const LevelsLook look = bars.look();
  const TensorId a = {bars.scene.graph->find("a"), 0};
  const auto end = bar_end_of(look, a, 1);
  REQUIRE(end);
  for (const std::int32_t level : {3, 5, 8}) {
    test::RecordingCanvas canvas;
    draw_moved_end(canvas, look, *end, level, "in at level 5, 4 ahead");
    CHECK(canvas.says("in at level 5, 4 ahead"));
    CHECK(canvas.open_clips == 0);
    const float x = levels_axis(look).x(level);
    CHECK(std::any_of(canvas.frames.begin(), canvas.frames.end(),
                      [&](const auto& frame) { return frame.box.x1 == x; }));
    for (const auto& fill : canvas.fills) {
      CHECK(fill.box.x0 >= 0);
      CHECK(fill.box.x1 <= 1100);
    }
  }
}

}  // namespace tideline::render
