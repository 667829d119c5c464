#include "render/view/levels_view.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "render/view/levels_frame.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

struct Made {
  test::SnapshotPtr snapshot;
  Scene scene;
  LevelsLayout layout;

  [[nodiscard]] LevelsLook look(float width = 1600, float height = 1000) const {
    return {.scene = &scene,
            .ops = &layout.ops,
            .swaps = &layout.swaps,
            .palette = &palette(ThemeKind::kDark),
            .area = {0, 0, width, height},
            .range = {},
            .selected = {},
            .hovered = {},
            .cursor = {}};
  }
};

Made make(std::string_view text, const Policy& policy = {}) {
  Made made;
  made.snapshot = test::snapshot_of(text, policy);
  made.scene = made.snapshot->scene();
  made.layout = layout_levels(made.scene);
  return made;
}

test::RecordingCanvas drawn(const LevelsLook& look) {
  test::RecordingCanvas canvas;
  draw_levels(canvas, look);
  CHECK(canvas.open_clips == 0);
  CHECK(canvas.all_finite);
  return canvas;
}

Point middle(Rect rect) {
  return {(rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2};
}

}  // namespace

TEST_CASE("the point in the middle of a box hits its ops, that of a bar its tensor") {
  const Made made = make(test::u_shaped_graph(2, 15), test::swap_policy(5, 2, 0));
  const LevelsLook look = made.look();
  const LevelsFrame frame = measure_levels(look);
  REQUIRE(frame.detail >= Detail::kBoxes);
  for (const OpBox& box : made.layout.ops.boxes) {
    const Hit hit = hit_levels(look, middle(frame.box_rect(box)));
    REQUIRE(hit.ops.size() == box.op_count);
    CHECK(hit.ops.front() == made.layout.ops.ops_of(box).front());
    CHECK(hit.kind == (box.is_folded ? HitKind::kFolded : HitKind::kOp));
    CHECK(static_cast<int>(hit.level.value_or(-1)) == box.level);
    REQUIRE(hit.rect);
    CHECK(hit.rect->contains(middle(frame.box_rect(box))));
    CHECK(hit.rect->x0 == frame.box_rect(box).x0);
    CHECK(hit.rect->y1 <= frame.rows.y1 + 1);
  }
  const std::vector<PlacedBar>& bars = frame.placed;
  REQUIRE_FALSE(bars.empty());
  for (const PlacedBar& bar : bars) {
    const Hit hit = hit_levels(look, middle(bar.rect));
    CHECK(hit.kind == HitKind::kSwap);
    CHECK(hit.tensor == bar.bar->tensor);
    CHECK(hit.swap == bar.index);
    CHECK(hit.rect == bar.rect);
  }
}

TEST_CASE("what is hit has the rectangle of its part in the picture") {
  const Made made = make(test::u_shaped_graph(2, 15), test::swap_policy(5, 2, 0));
  LevelsLook look = made.look(600, 400);
  look.range = {9, 6};
  look.y_zoom = 8;
  look.y_scroll_px = 30;
  int hits = 0;
  for (float x = 0; x < 600; x += 7) {
    for (float y = 0; y < 400; y += 7) {
      const Hit hit = hit_levels(look, {x, y});
      if (!hit.rect) continue;
      ++hits;
      CHECK(hit.rect->x0 >= 0);
      CHECK(hit.rect->y0 >= 0);
      CHECK(hit.rect->x1 <= 601);
      CHECK(hit.rect->y1 <= 401);
      CHECK(hit.rect->width() >= 1);
      CHECK(hit.rect->height() >= 1);
    }
  }
  CHECK(hits > 300);
}

TEST_CASE("an arc of a candidate is hit on its line") {
  const Made made = make(test::u_shaped_graph(1, 15));
  const LevelsLook look = made.look();
  const LevelsFrame frame = measure_levels(look);
  const auto visible = visible_candidates(frame);
  REQUIRE_FALSE(visible.empty());
  const Hit hit = hit_levels(look, arc_shape(frame, *visible[0]).at(0.5F));
  CHECK(hit.kind == HitKind::kCandidate);
  CHECK(hit.tensor == visible[0]->tensor);
  CHECK_FALSE(hit.rect);
}

TEST_CASE("points outside, or that are no numbers, hit nothing") {
  const Made made = make(test::u_shaped_graph(1, 5));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Point point : {Point{-1, 5}, Point{5, 1e9F}, Point{nan, 5}, Point{5, nan}}) {
    const Hit hit = hit_levels(made.look(), point);
    CHECK(hit.kind == HitKind::kNothing);
    CHECK_FALSE(hit.level);
  }
}

TEST_CASE("a frame draws a bounded number of shapes at every zoom") {
  const Made made = make(test::u_shaped_graph(40, 400), test::swap_policy(50, 5, 2));
  const double levels = made.layout.ops.level_count;
  CHECK(made.layout.ops.boxes.size() > 5000);
  for (double span = levels; span > 0.5; span /= 1.7) {
    for (const double first : {0.0, levels / 3, levels - span}) {
      LevelsLook look = made.look(2400, 1350);
      look.range = {first, span};
      look.show_control_edges = true;
      look.selected = TensorId{OpId{500}, 0};
      look.hovered = TensorId{OpId{9000}, 0};
      INFO("span " << span << " from " << first);
      CHECK(drawn(look).calls < 15000);
    }
  }
}

TEST_CASE("cells that repeat are few rectangles, and cover what they covered one by one") {
  const Made made = make(test::u_shaped_graph(12, 900), test::swap_policy(1500, 5, 2));
  LevelsLook look = made.look(1100, 500);
  for (const double span : {0.0, 700.0, 300.0}) {
    look.range = {200, span};
    const LevelsFrame frame = measure_levels(look);
    REQUIRE(frame.detail < Detail::kBoxes);
    const test::RecordingCanvas canvas = drawn(look);
    const CellBins& bins = made.layout.ops.bins[frame.bin];
    std::size_t cells = 0;
    for (std::size_t bin = 0; bin + 1 < bins.first.size(); ++bin) {
      const double from = std::ldexp(static_cast<double>(bin), static_cast<int>(frame.bin));
      const double to = from + std::ldexp(1.0, static_cast<int>(frame.bin));
      if (from < frame.axis.first || to > frame.axis.first + frame.axis.span) continue;
      if (to > made.layout.ops.level_count) continue;
      std::array<float, kMostBands> used{};
      for (std::size_t i = bins.first[bin]; i < bins.first[bin + 1]; ++i) {
        const OpCell& cell = bins.cells[i];
        const std::uint32_t row = made.layout.ops.bands[cell.band].row;
        const Point at = {(frame.axis.x(from) + frame.axis.x(to)) / 2,
                          frame.row_top[row] + (used[row] + cell.height / 2) * frame.row_unit[row]};
        used[row] += cell.height;
        if (!frame.rows.contains(at)) continue;
        ++cells;
        const auto covers = std::count_if(canvas.fills.begin(), canvas.fills.end(), [&](auto& f) {
          return f.box.contains(at) && !(f.box == look.area);
        });
        CHECK(covers == 1);
      }
    }
    INFO(cells << " cells of span " << span);
    CHECK(cells > 100);
    const auto fills = std::count_if(canvas.fills.begin(), canvas.fills.end(), [&](auto& f) {
      return f.box.y0 >= frame.rows.y0 && f.box.y1 <= frame.rows.y1;
    });
    CHECK(static_cast<std::size_t>(fills) < cells / 4);
  }
}

TEST_CASE("names and shapes are shown where there is room for them, and not elsewhere") {
  const Made made = make(R"(
    in = MadeUp() f32[64,64]
    net/first_op = MadeUp(in) f32[512,512]
    net/second = MadeUp(net/first_op) f32[512,512]
  )");
  const test::RecordingCanvas near = drawn(made.look());
  CHECK(near.says("first_op"));
  CHECK(near.says("[512,512]"));
  CHECK(near.says("1.00 MiB"));
  const test::RecordingCanvas far = drawn(made.look(60, 600));
  CHECK_FALSE(far.says("first_op"));
}

TEST_CASE("a size that is not known is hatched and has a question mark") {
  const Made made = make("in = MadeUp() f32[64,64]\nnet/a = MadeUp(in) f32?\n");
  const test::RecordingCanvas canvas = drawn(made.look());
  CHECK_FALSE(canvas.hatches.empty());
  CHECK(canvas.says("?"));
  CHECK(canvas.says("size unknown (1 op"));
}

TEST_CASE("an empty lane says what to do") {
  const std::string text = test::u_shaped_graph(1, 5);
  CHECK(drawn(make(text).look()).says("No policy yet"));
  CHECK(drawn(make(text, test::swap_policy(500, 1, 0)).look()).says("change the policy"));
  CHECK(drawn(make("").look()).says("no ops"));
}

TEST_CASE("a written file is drawn with its swaps in the host lane") {
  const Made made = make(R"(
    net/a = MadeUp() f32[4,64]
    net/b = MadeUp(net/a) f32[4,64]
    net/c = MadeUp(net/b) f32[4,64]
    net/d = MadeUp(net/c, lms/swapin_a) f32[4,64]
    lms/swapout_a = Identity(net/a) @/cpu:0 f32[4,64]
    lms/swapin_a = Identity(lms/swapout_a, ^net/b) @/cpu:0 f32[4,64]
  )");
  REQUIRE(made.layout.swaps.bars.size() == 1);
  CHECK(made.layout.swaps.bars[0].out_level == 1);
  CHECK(made.layout.swaps.bars[0].end_level == 2);
  CHECK(made.layout.swaps.is_swapped({test::op(made.snapshot->graph->graph(), "net/a"), 0}));
  const test::RecordingCanvas canvas = drawn(made.look());
  CHECK(canvas.says("HOST MEMORY LANE: 1 tensor"));
  CHECK(canvas.says("net/a:0"));
  CHECK_FALSE(canvas.says("No policy yet"));
  const OpLayout& ops = made.layout.ops;
  const auto band_of = [&](std::string_view name) {
    const OpId op = test::op(made.snapshot->graph->graph(), name);
    return ops.bands[ops.boxes[ops.box_of[op.index()]].band].name;
  };
  CHECK(band_of("net/d") == "net");
  CHECK(band_of("lms/swapout_a") == "copies of swaps (not to scale)");
  CHECK(band_of("lms/swapin_a") == "copies of swaps (not to scale)");
}

TEST_CASE("the selected op keeps its colour and is framed, its edges lie on top") {
  const Made made = make(test::u_shaped_graph(1, 10));
  LevelsLook look = made.look();
  const test::RecordingCanvas before = drawn(look);
  const OpId op = test::op(made.snapshot->graph->graph(), "tower_0/op_3");
  look.selected = TensorId{op, 0};
  const test::RecordingCanvas after = drawn(look);
  CHECK(after.frames.size() == before.frames.size() + 1);
  CHECK(after.curves.size() >= before.curves.size() + 3);  // one input, two readers
  const Rect box =
      measure_levels(look).box_rect(made.layout.ops.boxes[made.layout.ops.box_of[op.index()]]);
  bool full = false;
  for (const auto& fill : after.fills) full = full || (fill.box == box && fill.color.a == 255);
  CHECK(full);
}

TEST_CASE("looks that make no sense are drawn without harm") {
  const Made made = make(test::u_shaped_graph(1, 10), test::swap_policy(3, 1, 0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LevelsLook look = made.look();
  look.range = {nan, nan};
  look.y_scroll_px = nan;
  look.y_zoom = nan;
  look.cursor = nan;
  look.selected = TensorId{OpId{4'000'000'000U}, 7};
  look.hovered = TensorId{OpId{}, 0};
  CHECK(drawn(look).calls > 10);
  for (const Rect area :
       {Rect{0, 0, 0, 0}, Rect{10, 10, 5, 5}, Rect{0, 0, 3, 4000}, Rect{0, 0, 4000, 3}}) {
    look.area = area;
    CHECK(drawn(look).calls < 15000);
  }
}

TEST_CASE("what does not fit in height can be scrolled") {
  const Made made = make(test::u_shaped_graph(8, 10));
  LevelsLook look = made.look(800, 400);
  CHECK(most_scroll_px(look) < 200);
  look.y_zoom = 8;
  CHECK(most_scroll_px(look) > 200);
  const OpBox& box = made.layout.ops.boxes.back();
  const float before = measure_levels(look).box_rect(box).y0;
  look.y_scroll_px = 50;
  CHECK(measure_levels(look).box_rect(box).y0 == before - 50);
}

TEST_CASE("captions stay inside the picture and do not cover each other") {
  const Made made = make(test::u_shaped_graph(6, 200), test::swap_policy(50, 5, 2));
  const LevelsLook look = made.look();
  const test::RecordingCanvas canvas = drawn(look);
  for (std::size_t i = 0; i < canvas.texts.size(); ++i) {
    const Rect& a = canvas.texts[i].second;
    INFO(canvas.texts[i].first);
    CHECK(a.x1 <= look.area.x1 + 1);
    CHECK(a.y1 <= look.area.y1 + 1);
    for (std::size_t j = 0; j < i; ++j) {
      const Rect& b = canvas.texts[j].second;
      INFO(canvas.texts[j].first);
      const bool apart = a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0;
      CHECK(apart);
    }
  }
}

}  // namespace tideline::render
