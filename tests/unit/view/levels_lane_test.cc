#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "render/model/hover_text.h"
#include "render/view/levels_frame.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"
#include "tests/support/test_data.h"

namespace tideline::render {
namespace {

struct LaneMade {
  test::SnapshotPtr snapshot;
  Scene scene;
  LevelsLayout layout;

  explicit LaneMade(test::SnapshotPtr made)
      : snapshot(std::move(made)), scene(snapshot->scene()), layout(layout_levels(scene)) {}

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

LaneMade make_lane(std::string_view text, const Policy& policy) {
  return LaneMade(test::snapshot_of(text, policy));
}

// 140 tensors, 72 of which come back late.
const LaneMade& resnet50() {
  static const LaneMade made = [] {
    Progress silent;
    const auto graph = app::open(
        {.graph = {.path = test::graph_file("resnet50.meta").string()}, .batch_size = 16}, silent);
    REQUIRE(graph);
    const auto snapshot = app::make_snapshot(*graph, test::swap_policy(100, 50, 0),
                                             *built_in_profile("v100"), silent);
    REQUIRE(snapshot);
    return LaneMade(*snapshot);
  }();
  return made;
}

test::RecordingCanvas drawn_lane(const LevelsLook& look) {
  test::RecordingCanvas canvas;
  draw_levels(canvas, look);
  return canvas;
}

std::size_t fills_of(const test::RecordingCanvas& canvas, Color color, const Rect& within) {
  return static_cast<std::size_t>(
      std::count_if(canvas.fills.begin(), canvas.fills.end(), [&](const auto& fill) {
        const bool is_inside = fill.box.x1 > within.x0 && fill.box.x0 < within.x1 &&
                               fill.box.y1 > within.y0 && fill.box.y0 < within.y1;
        return fill.color == color && is_inside;
      }));
}

}  // namespace

TEST_CASE("the lane was empty at levels at which 28 tensors come back") {
  const LaneMade& made = resnet50();
  LevelsLook look = made.look(1000, 600);
  look.range = {560, 46};
  std::set<std::int32_t> crossing;
  std::size_t read_there = 0;
  for (std::size_t i = 0; i < made.layout.swaps.bars.size(); ++i) {
    const SwapBar& bar = made.layout.swaps.bars[i];
    if (bar.reader_level >= 560 && bar.producer_level <= 605) {
      crossing.insert(static_cast<std::int32_t>(i));
    }
  }
  for (const SwapSpan& span : made.layout.swaps.spans) {
    if (span.consumer_level >= 560 && span.consumer_level <= 605) ++read_there;
  }
  CHECK(read_there == 28);
  const LevelsFrame frame = measure_levels(look);
  std::set<std::int32_t> shown;
  for (const PlacedBar& bar : frame.placed) shown.insert(bar.index);
  for (const std::int32_t index : crossing) CHECK(shown.count(index) == 1);
  const test::RecordingCanvas canvas = drawn_lane(look);
  const Color way = look.palette->swap_in.with_alpha(0.7);
  CHECK(fills_of(canvas, way, frame.bars) >= crossing.size());
  // Each can be hit on its way.
  for (const PlacedBar& bar : frame.placed) {
    if (bar.reach_px < look.area.x0 + 2) continue;
    const Hit hit = hit_levels(look, {look.area.x0 + 1, (bar.rect.y0 + bar.rect.y1) / 2});
    CHECK(hit.kind == HitKind::kSwap);
  }
}

TEST_CASE("the way of a selected swap is drawn at every level that it crosses") {
  const LaneMade& made = resnet50();
  for (const SwapBar& bar : {made.layout.swaps.bars[0], made.layout.swaps.bars[70]}) {
    LevelsLook look = made.look(1000, 600);
    look.selected = bar.tensor;
    for (double first = bar.producer_level; first < bar.reader_level; first += 30) {
      look.range = {first, 30};
      const LevelsFrame frame = measure_levels(look);
      const auto placed =
          std::find_if(frame.placed.begin(), frame.placed.end(),
                       [&](const PlacedBar& p) { return p.bar->tensor == bar.tensor; });
      INFO("from level " << first);
      REQUIRE(placed != frame.placed.end());
      CHECK(placed->rect.y1 > placed->rect.y0);
    }
  }
}

TEST_CASE("only what is selected or hovered has curves in the lane") {
  const LaneMade made = make_lane(test::u_shaped_graph(2, 30), test::swap_policy(5, 2, 0));
  LevelsLook look = made.look();
  look.show_candidates = false;
  look.range = {0, 40};  // boxes without names, hence without edges
  look.font_px = 24;
  REQUIRE(measure_levels(look).detail < Detail::kNames);
  REQUIRE_FALSE(measure_levels(look).placed.empty());
  const test::RecordingCanvas quiet = drawn_lane(look);
  CHECK(quiet.curves.empty());
  const std::size_t tips = quiet.triangles.size();
  CHECK(tips == 2);  // of the legend: the ticks of thin bars have none
  look.hovered = made.layout.swaps.bars[3].tensor;
  const test::RecordingCanvas hovered = drawn_lane(look);
  CHECK_FALSE(hovered.curves.empty());
  CHECK(hovered.triangles.size() > tips);
}

TEST_CASE("ticks of bars that are high enough have tips, so that out and in differ in shape") {
  const LaneMade made = make_lane(test::u_shaped_graph(1, 6), test::swap_policy(2, 1, 0));
  LevelsLook look = made.look();
  look.show_candidates = false;
  const LevelsFrame frame = measure_levels(look);
  REQUIRE(frame.placed.size() == 5);
  const test::RecordingCanvas canvas = drawn_lane(look);
  // Two of each bar, each with one swap-in, and those of the legend.
  CHECK(canvas.triangles.size() == 2 * frame.placed.size() + 2);
}

TEST_CASE("the end of a late bar is red and reaches as far as its reader waits") {
  const LaneMade& made = resnet50();
  const SwapLayout& swaps = made.layout.swaps;
  const auto late = std::find_if(swaps.bars.begin(), swaps.bars.end(), [](const SwapBar& bar) {
    return bar.late_ns > 0 && bar.span_count == 1;
  });
  REQUIRE(late != swaps.bars.end());
  const TimeReport& time = *made.scene.devices.front().timing;
  const auto& waits = time.after.late;
  CHECK(std::any_of(waits.begin(), waits.end(),
                    [&](const LateSwapIn& wait) { return wait.wait_ns == late->late_ns; }));
  LevelsLook look = made.look(1000, 600);
  look.range = {late->end_level - 10.0, 30};
  const LevelsFrame frame = measure_levels(look);
  const double levels = static_cast<double>(late->late_ns) /
                        static_cast<double>(time.after.step_ns()) * made.layout.ops.level_count;
  CHECK(swaps.levels_of(late->late_ns) == Approx(levels));
  const float from = frame.axis.x(late->end_level);
  const float to = frame.axis.x(late->end_level + levels);
  const test::RecordingCanvas canvas = drawn_lane(look);
  CHECK(std::any_of(canvas.fills.begin(), canvas.fills.end(), [&](const auto& fill) {
    return fill.color == look.palette->error && std::abs(fill.box.x0 - from) < 0.1F &&
           std::abs(fill.box.x1 - std::max(to, from + 1)) < 0.1F;
  }));
}

TEST_CASE("a swap that comes back at once is a mark that can be seen and hit") {
  const auto snapshot = test::snapshot_of(test::u_shaped_graph(1, 100), test::swap_policy(5, 2, 0));
  RewritePlan plan = snapshot->plan();
  plan.edit.control.clear();  // nothing to wait for
  LaneMade made(snapshot);
  made.scene.plan = &plan;
  made.layout = layout_levels(made.scene);
  const LevelsLook look = made.look(500, 1200);
  const LevelsFrame frame = measure_levels(look);
  REQUIRE(frame.placed.size() > 50);
  for (const PlacedBar& bar : frame.placed) {
    CHECK(bar.bar->end_level == bar.bar->out_level);
    CHECK(bar.rect.width() > kLeastBarPx - 0.01F);
    const Hit hit = hit_levels(look, {bar.rect.x0 + 1, (bar.rect.y0 + bar.rect.y1) / 2});
    CHECK(hit.kind == HitKind::kSwap);
  }
}

TEST_CASE("bars that would be too thin are summed up, and nothing is lost or counted twice") {
  const LaneMade made = make_lane(test::u_shaped_graph(20, 60), test::swap_policy(5, 2, 0));
  const SwapLayout& swaps = made.layout.swaps;
  REQUIRE(swaps.bars.size() > kMostBars);
  LevelsLook look = made.look();
  const LevelsFrame frame = measure_levels(look);
  CHECK(frame.placed.empty());
  REQUIRE_FALSE(frame.columns.empty());
  std::size_t outs = 0;
  std::size_t ins = 0;
  std::size_t late = 0;
  Bytes out_bytes = 0;
  for (const SwapColumn& column : frame.columns) {
    outs += static_cast<std::size_t>(column.outs);
    ins += static_cast<std::size_t>(column.ins);
    late += static_cast<std::size_t>(column.late);
    out_bytes += column.out_bytes;
  }
  CHECK(outs == swaps.bars.size());
  CHECK(ins == swaps.spans.size());
  CHECK(out_bytes == swaps.bytes);
  CHECK(late == static_cast<std::size_t>(std::count_if(swaps.late_ns.begin(), swaps.late_ns.end(),
                                                       [](auto ns) { return ns > 0; })));
  const SwapColumn& column = frame.columns.front();
  const Hit hit = hit_levels(look, {(column.x0 + column.x1) / 2, frame.bars.y0 + 3});
  CHECK(hit.kind == HitKind::kSwapGroup);
  CHECK(hit.column.outs == column.outs);
  const auto lines = ui::hover_lines(look, hit);
  REQUIRE(lines.size() >= 2);
  CHECK(lines[1] == "out: 20 tensors, 5.00 KiB");
  // What is selected is still there.
  look.selected = swaps.bars[7].tensor;
  const LevelsFrame selected = measure_levels(look);
  REQUIRE(selected.placed.size() == 1);
  CHECK(selected.placed[0].index == 7);
  look.range = {0, 5};
  look.selected.reset();
  CHECK_FALSE(measure_levels(look).placed.empty());
}

TEST_CASE("ops kept 2 pixels in a window of 1280x720 with large letters") {
  LevelsLook look = resnet50().look(560, 330);
  look.font_px = 24;
  for (const double span : {0.0, 100.0, 30.0}) {
    look.range = {200, span};
    const LevelsFrame frame = measure_levels(look);
    INFO("span " << span);
    CHECK(frame.rows.height() > 0.28F * look.area.height());
    CHECK(frame.row_px[0] > 0.15F * look.area.height());
  }
}

TEST_CASE("the tallest visible column fills the rows, and the scale is said once") {
  LevelsLook look = resnet50().look(1000, 600);
  for (const double first : {0.0, 250.0, 560.0}) {
    look.range = {first, 46};
    const LevelsFrame frame = measure_levels(look);
    INFO("from " << first);
    float highest = 0;
    Bytes tallest = 0;
    for (std::int32_t level = static_cast<std::int32_t>(first); level < first + 46; ++level) {
      std::map<std::uint32_t, Bytes> cells;
      for (const OpBox& box : look.ops->boxes_at(level)) {
        if (look.ops->bands[box.band].is_side) continue;
        highest = std::max(highest, frame.box_rect(box).y1);
        tallest = std::max(tallest, cells[box.band] += box.bytes);
      }
    }
    CHECK(std::abs(static_cast<double>(frame.tallest - tallest)) <=
          1e-5 * static_cast<double>(tallest));
    CHECK(highest > frame.rows.y0 + 0.6F * frame.rows.height());
    const test::RecordingCanvas canvas = drawn_lane(look);
    CHECK(std::count_if(canvas.texts.begin(), canvas.texts.end(), [](const auto& text) {
            return text.first.find("tallest") != std::string::npos;
          }) == 1);
    CHECK(canvas.says(format_bytes(frame.tallest)));
  }
}

TEST_CASE("an edge that the rewrite has rerouted is dashed") {
  const LaneMade made = make_lane(test::u_shaped_graph(1, 20), test::swap_policy(5, 2, 0));
  const Graph& graph = *made.scene.graph;
  const OpId maker = test::op(graph, "tower_0/op_3");
  const OpId reader = test::op(graph, "gradients/tower_0/op_3_grad");
  const OpId next = test::op(graph, "tower_0/op_4");
  CHECK(made.layout.swaps.is_rerouted({maker, 0}, reader));
  CHECK_FALSE(made.layout.swaps.is_rerouted({maker, 0}, next));
  const LevelsLook look = made.look();
  const LevelsFrame frame = measure_levels(look);
  const CurveShape shape = {{10, 10}, {40, 10}, {60, 90}, {100, 90}};
  test::RecordingCanvas direct;
  draw_tensor_edge(direct, frame, {maker, 0}, next, shape, {}, 1);
  CHECK(direct.curves.size() == 1);
  CHECK(direct.lines.empty());
  test::RecordingCanvas rerouted;
  draw_tensor_edge(rerouted, frame, {maker, 0}, reader, shape, {}, 1);
  CHECK(rerouted.curves.empty());
  CHECK(rerouted.lines.size() > 5);
}

TEST_CASE("words and samples of the legend have the colours of the drawing") {
  const LaneMade& made = resnet50();
  const LevelsLook look = made.look(1000, 600);
  const LevelsFrame frame = measure_levels(look);
  const test::RecordingCanvas canvas = drawn_lane(look);
  for (const LegendEntry& entry : frame.words.entries) {
    CHECK(canvas.says(entry.text));
    if (entry.text == "forward") CHECK(fills_of(canvas, entry.color, frame.rows) > 0);
    if (entry.text == "backward") CHECK(fills_of(canvas, entry.color, frame.rows) > 0);
    if (entry.text == "swap-in") CHECK(fills_of(canvas, entry.color, frame.bars) > 0);
    if (entry.text.starts_with("late")) CHECK(fills_of(canvas, entry.color, frame.bars) > 0);
  }
}

}  // namespace tideline::render
