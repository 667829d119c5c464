#include "render/view/link_layout.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "render/model/hover_text.h"
#include "render/view/levels_frame.h"
#include "tests/support/graph_text.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

struct LinkMade {
  test::SnapshotPtr snapshot;
  Scene scene;
  LevelsLayout layout;

  explicit LinkMade(const Policy& policy)
      : snapshot(test::snapshot_of(test::u_shaped_graph(2, 30), policy)),
        scene(snapshot->scene()),
        layout(layout_levels(scene)) {}

  [[nodiscard]] const LinkLayout& link() const { return layout.swaps.link; }
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

template <typename Items>
void check_rising(const Items& items, double levels) {
  double level = 0;
  double ns = 0;
  for (const auto& item : items) {
    CHECK(item.begin_level >= level - 1e-9);
    CHECK(item.end_level >= item.begin_level);
    CHECK(item.end_level <= levels);
    CHECK(item.begin_ns >= ns - 1e-6);
    level = item.begin_level;
    ns = item.begin_ns;
  }
}

}  // namespace

TEST_CASE("every swap has a slice out and one for each way back, at rising levels") {
  const LinkMade made(test::swap_policy(5, 2, 0));
  CHECK(made.link().to_host.size() == made.snapshot->plan().swaps().size());
  CHECK(made.link().to_device.size() == made.layout.swaps.spans.size());
  check_rising(made.link().to_host, made.layout.ops.level_count);
  check_rising(made.link().to_device, made.layout.ops.level_count);
  check_rising(made.link().stalls, made.layout.ops.level_count);
  for (const LinkSlice& slice : made.link().to_device) {
    CHECK(made.layout.swaps.is_swapped(slice.tensor));  // the tensor of the graph, not the copy
  }
}

TEST_CASE("stalls add up to what the swaps add to the step") {
  const LinkMade made(test::swap_policy(5, 2, 0));
  REQUIRE_FALSE(made.link().stalls.empty());
  double sum = 0;
  for (const LinkStall& stall : made.link().stalls) sum += stall.end_ns - stall.begin_ns;
  const StepTime& time = made.snapshot->time();
  CHECK(std::abs(sum - static_cast<double>(time.added_ns)) <
        static_cast<double>(made.link().stalls.size()) + 1);
  CHECK(made.link().compute_ns == time.compute_ns);
  CHECK(made.link().waiting_ns == time.added_ns);
}

TEST_CASE("without swaps there is no link track") {
  const LinkMade made(Policy{});
  CHECK(made.link().empty());
  CHECK(measure_levels(made.look()).link.height() == 0);
}

TEST_CASE("a copy and a stall in the link track say what they are, and select the swap") {
  const LinkMade made(test::swap_policy(5, 2, 0));
  const LevelsLook look = made.look();
  const LevelsFrame frame = measure_levels(look);
  REQUIRE(frame.link.height() > 0);
  bool has_copy = false;
  bool has_stall = false;
  bool has_share = false;
  for (float x = 0; x < 1600; x += 2) {
    for (float y = frame.link.y0; y < frame.link.y1; y += 3) {
      const Hit hit = hit_levels(look, {x, y});
      if (hit.kind == HitKind::kNothing) continue;
      if (hit.kind == HitKind::kShare) {
        has_share = true;
        CHECK(ui::hover_lines(look, hit).front().starts_with("the step computes "));
        continue;
      }
      REQUIRE(hit.tensor);
      CHECK(made.layout.swaps.is_swapped(*hit.tensor));
      const auto lines = ui::hover_lines(look, hit);
      REQUIRE(lines.size() == 3);
      if (hit.kind == HitKind::kStall) {
        has_stall = true;
        CHECK(lines[0].starts_with("the device waits "));
        CHECK(lines[1] == "for " + made.scene.graph->tensor_name(*hit.tensor));
      } else {
        has_copy = true;
        CHECK(lines[0] == made.scene.graph->tensor_name(*hit.tensor));
        CHECK(lines[1].starts_with("256 B to the "));
        CHECK(lines[1].ends_with(" GB/s"));
      }
    }
  }
  CHECK(has_share);
  CHECK(has_copy);
  CHECK(has_stall);
}

TEST_CASE("the link track says how long the step computes and waits") {
  const LinkMade made(test::swap_policy(5, 2, 0));
  test::RecordingCanvas canvas;
  draw_levels(canvas, made.look());
  CHECK(canvas.says("LINK: out busy"));
  CHECK(canvas.says("compute " + format_time(made.link().compute_ns)));
  CHECK(canvas.says("waiting " + format_time(made.link().waiting_ns)));
}

}  // namespace tideline::render
