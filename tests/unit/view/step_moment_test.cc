#include "render/view/step_moment.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "render/view/levels_frame.h"
#include "render/view/picture.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"
#include "tests/support/test_data.h"

namespace tideline::render {
namespace {

struct Played {
  test::SnapshotPtr snapshot;
  Scene scene;
  LevelsLayout layout;
  MemoryLayout memory;

  explicit Played(test::SnapshotPtr made)
      : snapshot(std::move(made)),
        scene(snapshot->scene()),
        layout(layout_levels(scene)),
        memory(layout_memory(scene, 0, MemoryAxis::kLevel)) {}

  [[nodiscard]] LevelsLook levels(std::optional<double> player) const {
    return {.scene = &scene,
            .ops = &layout.ops,
            .swaps = &layout.swaps,
            .palette = &palette(ThemeKind::kDark),
            .area = {0, 0, 1000, 600},
            .range = {},
            .selected = {},
            .hovered = {},
            .cursor = {},
            .player = player};
  }
  [[nodiscard]] MemoryLook chart(std::optional<double> player) const {
    return {.scene = &scene,
            .memory = &memory,
            .palette = &palette(ThemeKind::kDark),
            .area = {0, 0, 1000, 300},
            .range = {},
            .selected = {},
            .cursor = {},
            .player = player};
  }
};

const Played& u_shape() {
  static const Played made(
      test::snapshot_of(test::u_shaped_graph(1, 6), test::swap_policy(2, 1, 0)));
  return made;
}

std::vector<Whereabouts> where_is(const SwapLayout& swaps, std::uint32_t bar, double at) {
  std::vector<Whereabouts> all;
  for (const MovingTensor& tensor : moving_tensors(swaps, at)) {
    if (tensor.bar == bar) all.push_back(tensor.where);
  }
  return all;
}

}  // namespace

TEST_CASE("a swapped tensor leaves, is parked, comes back and is read", "[view]") {
  const SwapLayout& swaps = u_shape().layout.swaps;
  REQUIRE_FALSE(swaps.bars.empty());
  for (std::uint32_t i = 0; i < swaps.bars.size(); ++i) {
    const SwapBar& bar = swaps.bars[i];
    REQUIRE(bar.span_count == 1);
    const SwapSpan& span = swaps.spans[bar.first_span];
    REQUIRE(span.in_level < span.consumer_level);
    using Is = std::vector<Whereabouts>;
    CHECK(where_is(swaps, i, bar.producer_level - 0.01).empty());
    CHECK(where_is(swaps, i, bar.producer_level + 0.5) == Is{Whereabouts::kLeaving});
    CHECK(where_is(swaps, i, bar.out_level) == Is{Whereabouts::kHost});
    CHECK(where_is(swaps, i, span.in_level - 0.01) == Is{Whereabouts::kHost});
    CHECK(where_is(swaps, i, span.in_level) == Is{Whereabouts::kComing});
    CHECK(where_is(swaps, i, span.consumer_level + 0.5) == Is{Whereabouts::kRead});
    CHECK(where_is(swaps, i, span.consumer_level + 1).empty());
  }
  CHECK(moving_tensors(swaps, std::numeric_limits<double>::quiet_NaN()).empty());
  CHECK(moving_tensors(swaps, 1e300).empty());
}

TEST_CASE("ways go on without a jump from one frame to the next", "[view]") {
  const Played& made = u_shape();
  const auto look = made.levels(0);
  const LevelsFrame frame = measure_levels(look);
  REQUIRE(frame.placed.size() == made.layout.swaps.bars.size());
  for (const PlacedBar& bar : frame.placed) {
    const CurveShape out = way_out(frame, bar);
    const CurveShape in = way_in(frame, bar, made.layout.swaps.spans[bar.bar->first_span]);
    CHECK(out.at(1).x == Approx(bar.rect.x0));
    CHECK(out.at(1).y == Approx((bar.rect.y0 + bar.rect.y1) / 2));
    CHECK(in.at(0).y == Approx(out.at(1).y));
    CHECK(in.at(0).x == Approx(bar.rect.x1).margin(kLeastBarPx));
    CHECK(out.at(0).y > frame.bars.y1);  // in the rows
    CHECK(in.at(1).y > frame.bars.y1);
  }
}

TEST_CASE("the numbers of the player are those of the memory table at that level", "[view]") {
  Progress silent;
  const auto tutorial = app::open(
      {.graph = {.path = TIDELINE_SOURCE_DIR "/assets/samples/tutorial_mnist.meta"}}, silent);
  REQUIRE(tutorial);
  const auto snapshot =
      app::make_snapshot(*tutorial, test::swap_policy(50, 3, 0), *built_in_profile("v100"), silent);
  REQUIRE(snapshot);
  const Played large(*snapshot);
  for (const Played* made : {&u_shape(), &large}) {
    Bytes highest = 0;
    for (std::int32_t level = 0; level < made->memory.count; ++level) {
      const MemoryMoment moment = memory_moment(made->memory, level + 0.5);
      CHECK(moment.level == level);
      const LiveRows table = live_at(made->scene, made->memory, level, 1'000'000);
      CHECK(moment.device == table.bytes);
      highest = std::max(highest, moment.device);
      CHECK(moment.highest == highest);
      const MemoryTimeline& step = *made->scene.devices[0].after;
      if (table.step >= 0) {
        CHECK(moment.device == step.device[static_cast<std::size_t>(table.step)]);
      }
      // The host's peak of the level may be at another of its steps.
      CHECK(moment.host == made->memory.host.at(level));
      CHECK(moment.host <= step.host_peak);
    }
    CHECK(highest == made->memory.after_peak);
  }
}

TEST_CASE("a frame of the player draws the moment, and nothing without one", "[view]") {
  const Played& made = u_shape();
  const SwapLayout& swaps = made.layout.swaps;
  const double moving = swaps.bars[0].producer_level + 0.5;
  test::RecordingCanvas still, played;
  draw_levels(still, made.levels({}));
  draw_levels(played, made.levels(moving));
  CHECK(played.calls > still.calls);
  CHECK(played.open_clips == 0);
  CHECK(played.all_finite);
  const Color leaving = palette(ThemeKind::kDark).swap_out;
  const auto squares = [&](const test::RecordingCanvas& canvas) {
    return std::count_if(canvas.fills.begin(), canvas.fills.end(), [&](const auto& fill) {
      return fill.color == leaving && fill.box.width() > 8 &&
             fill.box.width() == Approx(fill.box.height());
    });
  };
  CHECK(squares(still) == 0);
  CHECK(squares(played) == 1);
  test::RecordingCanvas chart;
  draw_memory(chart, made.chart(moving));
  CHECK(chart.says("highest so far"));
  CHECK(chart.says("level 1: device "));
  test::RecordingCanvas none;
  draw_memory(none, made.chart({}));
  CHECK_FALSE(none.says("highest so far"));
  for (const double odd : {-5.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    test::RecordingCanvas canvas;
    draw_levels(canvas, made.levels(odd));
    draw_memory(canvas, made.chart(odd));
    CHECK(canvas.all_finite);
    CHECK(canvas.open_clips == 0);
  }
}

TEST_CASE("no two frames of a step are the same picture", "[view]") {
  const Played& made = u_shape();
  Picture picture;
  picture.scene = &made.scene;
  std::vector<std::string> drawn;
  for (const double moment : frame_moments({}, made.layout.ops.level_count, 0)) {
    picture.part.player = moment;
    drawn.push_back(draw_svg(picture, 1));
  }
  CHECK(drawn.size() == static_cast<std::size_t>(made.layout.ops.level_count));
  std::sort(drawn.begin(), drawn.end());
  CHECK(std::adjacent_find(drawn.begin(), drawn.end()) == drawn.end());
}

TEST_CASE("frames are in the middle of equal parts of what is shown", "[view]") {
  CHECK(frame_moments({}, 3, 0) == std::vector<double>{0.5, 1.5, 2.5});
  CHECK(frame_moments({10, 2}, 30, 0) == std::vector<double>{10.5, 11.5});
  CHECK(frame_moments({10, 2}, 30, 4) == std::vector<double>{10.25, 10.75, 11.25, 11.75});
  CHECK(frame_moments({}, 0, 0).empty());
}

}  // namespace tideline::render
