#include "render/view/swap_layout.h"

#include <catch2/catch.hpp>

#include "render/view/levels_frame.h"
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

Made make(std::string_view text, const Policy& policy) {
  Made made;
  made.snapshot = test::snapshot_of(text, policy);
  made.scene = made.snapshot->scene();
  made.layout = layout_levels(made.scene);
  return made;
}

}  // namespace

TEST_CASE("a swap leaves one level after its producer and is back one after its trigger") {
  const Made made = make(test::u_shaped_graph(1, 10), test::swap_policy(5, 2, 0));
  REQUIRE_FALSE(made.layout.swaps.spans.empty());
  for (const SwapSpan& span : made.layout.swaps.spans) {
    const PlannedSwapIn& planned = made.snapshot->plan().swaps()[span.swap].swap_ins[span.swap_in];
    CHECK(span.out_level == span.producer_level + 1);
    REQUIRE(planned.trigger.valid());
    CHECK(span.in_level == made.scene.levels->level(planned.trigger) + 1);
    CHECK(span.in_level <= span.consumer_level);
    CHECK(span.bytes == 256);
  }
  // op_0 is made at level 1 and read again at level 20, two levels ahead: 17 or 18 triggers.
  const SwapBar& first = made.layout.swaps.bars[0];
  CHECK(first.out_level == 2);
  CHECK(first.end_level >= 17);
}

TEST_CASE("a synchronised swap-in is back one after the last op that it waits for") {
  Policy policy = test::swap_policy(5, 2, 0);
  set_value(policy, "sync-mode", 2);
  const Made made = make(test::u_shaped_graph(1, 10), policy);
  REQUIRE_FALSE(made.layout.swaps.spans.empty());
  for (const SwapSpan& span : made.layout.swaps.spans) {
    const RewritePlan& plan = made.snapshot->plan();
    const OpId copy = plan.swaps()[span.swap].swap_ins[span.swap_in].copy;
    std::int32_t last = -1;
    for (const ControlEdge& edge : plan.edit.control) {
      if (edge.op == copy) last = std::max(last, made.scene.levels->level(edge.after));
    }
    REQUIRE(last >= 0);
    CHECK(span.in_level == std::clamp(last + 1, span.out_level, span.consumer_level));
  }
}

TEST_CASE("a swap-in that waits for nothing is back at once") {
  const auto snapshot = test::snapshot_of(test::u_shaped_graph(1, 10), test::swap_policy(5, 2, 0));
  RewritePlan plan = snapshot->plan();
  plan.edit.control.clear();
  Scene scene = snapshot->scene();
  scene.plan = &plan;
  const auto spans = swap_spans(scene);
  REQUIRE_FALSE(spans.empty());
  for (const SwapSpan& span : spans) CHECK(span.in_level == span.out_level);
}

TEST_CASE("bars are nested bowls: none overlaps another") {
  const Made made = make(test::u_shaped_graph(3, 40), test::swap_policy(5, 2, 0));
  const LevelsLook look = made.look();
  const LevelsFrame frame = measure_levels(look);
  const std::vector<PlacedBar>& bars = frame.placed;
  REQUIRE(bars.size() > 50);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    CHECK(bars[i].rect.y0 >= frame.bars.y0 - 0.01F);
    CHECK(bars[i].rect.y1 <= frame.bars.y1 + 0.01F);
    CHECK(bars[i].rect.height() > 0);
    for (std::size_t j = 0; j < i; ++j) {
      const Rect& a = bars[i].rect;
      const Rect& b = bars[j].rect;
      const bool apart = a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0;
      CHECK(apart);
    }
  }
}

TEST_CASE("what is swapped is no candidate any more") {
  const std::string text = test::u_shaped_graph(1, 20);
  const Made off = make(text, {});
  CHECK_FALSE(off.layout.swaps.has_policy);
  REQUIRE_FALSE(off.layout.swaps.candidates.empty());
  const Made on = make(text, test::swap_policy(5, 2, 0));
  CHECK(on.layout.swaps.candidates.size() < off.layout.swaps.candidates.size());
  for (const LongLived& tensor : on.layout.swaps.candidates) {
    CHECK_FALSE(on.layout.swaps.is_swapped(tensor.tensor));
  }
}

}  // namespace tideline::render
