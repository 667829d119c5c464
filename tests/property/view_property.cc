// Layouts of random graphs against what must hold of every one.
#include <catch2/catch.hpp>
#include <random>

#include "render/view/levels_frame.h"
#include "render/view/memory_view.h"
#include "tests/support/random_graph.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

test::SnapshotPtr make_snapshot(std::uint32_t seed) {
  std::mt19937 random(seed);
  test::RandomGraphOptions shape;
  shape.ops = 1 + static_cast<int>(random() % 150);
  shape.real_types = random() % 2 == 0;
  shape.shuffled = random() % 3 == 0;
  Policy policy =
      test::swap_policy(1 + static_cast<int>(random() % 10), 1 + static_cast<int>(random() % 5),
                        static_cast<int>(random() % 4));
  set_value(policy, "sync-mode", static_cast<int>(random() % 4));
  if (random() % 6 == 0) policy = {};
  return test::snapshot_of(test::random_graph(seed, shape), policy, 1 + random() % 9);
}

void check_boxes(const Scene& scene, const OpLayout& layout) {
  std::vector<int> seen(scene.graph->op_count());
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
    const OpBox& box = layout.boxes[i];
    REQUIRE(box.bottom > box.top);
    REQUIRE(box.bottom <= layout.row_height[layout.bands[box.band].row] + 1e-4F);
    REQUIRE(box.is_folded == (box.op_count > 1));
    for (const OpId op : layout.ops_of(box)) {
      ++seen[op.index()];
      REQUIRE(layout.box_of[op.index()] == i);
      REQUIRE(scene.levels->level(op) == box.level);
    }
  }
  for (const int times : seen) REQUIRE(times == 1);
  for (std::int32_t level = 0; level < layout.level_count; ++level) {
    const auto boxes = layout.boxes_at(level);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (layout.bands[boxes[i].band].row != layout.bands[boxes[j].band].row) continue;
        REQUIRE(
            (boxes[i].top >= boxes[j].bottom - 1e-4F || boxes[j].top >= boxes[i].bottom - 1e-4F));
      }
    }
  }
}

void check_spans(const SwapLayout& layout, std::int32_t levels) {
  for (const SwapSpan& span : layout.spans) {
    REQUIRE(span.producer_level < span.out_level);
    REQUIRE(span.out_level <= span.in_level);
    REQUIRE(span.in_level <= span.consumer_level);
    REQUIRE(span.consumer_level <= levels);
  }
}

}  // namespace

TEST_CASE("random graphs: every op has one box, bars and boxes do not overlap, curves keep peaks") {
  std::int64_t swaps = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const auto snapshot = make_snapshot(seed);
    const Scene scene = snapshot->scene();
    const LevelsLayout layout = layout_levels(scene);
    check_boxes(scene, layout.ops);
    check_spans(layout.swaps, layout.ops.level_count);
    swaps += static_cast<std::int64_t>(layout.swaps.bars.size());
    for (const MemoryAxis axis : {MemoryAxis::kLevel, MemoryAxis::kStep}) {
      const MemoryLayout memory = layout_memory(scene, 0, axis);
      REQUIRE(memory.before.most() == scene.devices[0].before->device_peak);
      if (memory.has_after) {
        REQUIRE(memory.after.most() == scene.devices[0].after->device_peak);
        REQUIRE(memory.host.most() == scene.devices[0].after->host_peak);
      }
      for (std::int32_t at = 0; at < memory.count; ++at) {
        const Curve& shown = memory.has_after ? memory.after : memory.before;
        if (memory.step_at[static_cast<std::size_t>(at)] < 0) continue;
        REQUIRE(live_at(scene, memory, at, 5).bytes == shown.at(at));
      }
    }
  }
  CHECK(swaps > 1000);
}

TEST_CASE("random graphs: frames at random zooms draw and hit without contradiction") {
  int hits = 0;
  std::mt19937 random(5);
  const auto share = [&] { return static_cast<double>(random() % 1000) / 1000; };
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    const auto snapshot = make_snapshot(seed);
    const Scene scene = snapshot->scene();
    const LevelsLayout layout = layout_levels(scene);
    LevelsLook look;
    look.scene = &scene;
    look.ops = &layout.ops;
    look.swaps = &layout.swaps;
    look.palette = &palette(ThemeKind::kDark);
    look.area = {10, 20, 300 + static_cast<float>(share() * 2000),
                 100 + static_cast<float>(share() * 1500)};
    look.range = {share() * 20 - 5, share() * 40};
    look.y_zoom = 1 + share() * 4;
    test::RecordingCanvas canvas;
    draw_levels(canvas, look);
    CHECK(canvas.all_finite);
    CHECK(canvas.open_clips == 0);
    CHECK(canvas.calls < 15000);
    const LevelsFrame frame = measure_levels(look);
    for (const PlacedBar& bar : frame.placed) {
      const Point middle = {(bar.rect.x0 + bar.rect.x1) / 2, (bar.rect.y0 + bar.rect.y1) / 2};
      if (!look.area.contains(middle) || !frame.lane.contains(middle)) continue;
      const Hit hit = hit_levels(look, middle);
      CHECK((hit.kind == HitKind::kSwap || hit.kind == HitKind::kSwapGroup));
      ++hits;
    }
  }
  CHECK(hits > 100);
}

}  // namespace tideline::render
