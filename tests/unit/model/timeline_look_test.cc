#include "render/model/timeline_look.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/memory/measured/measured_run.h"
#include "tests/support/scene_text.h"
#include "tests/support/trace_text.h"

namespace tideline {
namespace {

using Json = nlohmann::json;

constexpr render::Rect kArea = {0, 0, 800, 60};

// Of 60 us: b runs from 10 to 20, c from 20 to 30, d from 56 to 60.
struct TracedLook {
  test::SnapshotPtr snapshot;
  MeasuredRun run;
  ui::UiModel model;
  ui::ViewState view;
  ui::ViewCache cache;
  TracedLook()
      : snapshot(test::snapshot_of(R"(
          a = MadeUp() f32[4,16]
          b = Relu(a) f32[4,16]
          c = Relu(b) f32[4,16]
          d = MadeUp(c) f32[4,16]
        )")) {
    auto made = measure_run(snapshot->graph->graph(), test::read_trace(R"(
          a = MadeUp() | 0+10 | 0:256&1#1 | +256@1
          b = Relu(a) | 10+10
          c = Relu(b) | 20+10
          d = MadeUp(c) | 56+4 | 0:256&3#1 | +256@57
        )"),
                            {});
    REQUIRE(made);
    run = *std::move(made);
    model.scene = snapshot->scene();
    model.scene->measured = &run;
    cache.update(model, view);
  }
  [[nodiscard]] render::TimelineLook look() { return ui::timeline_look(model, view, cache, kArea); }
};

}  // namespace

TEST_CASE("The timeline is looked at with its range, its stretch and what is selected", "[model]") {
  TracedLook made;
  made.view.trace = {10, 20};
  made.view.stretch = ui::TimeStretch{12, 18};
  made.view.selected = TensorId{made.snapshot->graph->graph().find("b"), 0};
  const render::TimelineLook look = made.look();
  CHECK(look.range.first == 10);
  CHECK(look.range.span == 20);
  REQUIRE(look.stretch);
  CHECK(look.stretch->to_us == 18);
  CHECK(look.selected == made.view.selected->op);
  const Json picture = Json::parse(ui::picture_json(look, 7));
  CHECK(picture["revision"] == 7);
  CHECK(picture["count"] == 60);
  CHECK(picture["first"] == 10);
  CHECK(picture["span"] == 20);
  // Names stand at the left of the axis.
  CHECK(picture["axis"][0] > 60);
  CHECK(picture["scroll"] == 0);
}

TEST_CASE("Bands of the timeline scroll as far as there are some", "[model]") {
  TracedLook made;
  made.view.trace_scroll_px = 1e9;
  render::TimelineLook look = made.look();
  ui::limit_bands(made.view, look);
  CHECK(made.view.trace_scroll_px == render::timeline_height(look) - kArea.height());
  CHECK(static_cast<double>(look.scroll_px) == made.view.trace_scroll_px);
  made.view.trace_scroll_px = std::numeric_limits<double>::quiet_NaN();
  ui::limit_bands(made.view, look);
  CHECK(made.view.trace_scroll_px == 0);
}

TEST_CASE("An execution has a rectangle, and a range around it", "[model]") {
  TracedLook made;
  const render::TimelineLook look = made.look();
  const render::Axis axis = render::timeline_axis(look);
  render::TimelineHit hit;
  for (float y = 0; y < kArea.y1 && !hit.zone; y += 2) {
    hit = render::hit_timeline(look, {axis.x(25), y});
  }
  REQUIRE(hit.zone);
  const auto rect = ui::rect_of(look, hit);
  REQUIRE(rect);
  CHECK(rect->x0 == Approx(axis.x(20)));
  CHECK(rect->x1 == Approx(axis.x(30)));
  CHECK(rect->height() > 10);
  // 10 us and a tenth of them at both sides.
  const ui::AxisRange range = ui::range_around(*look.timeline, *hit.zone);
  CHECK(range.first == Approx(19));
  CHECK(range.span == Approx(12));
  CHECK_FALSE(ui::rect_of(look, {}));
}

TEST_CASE("The title of the statistics says the stretch, or that there is none", "[model]") {
  TracedLook made;
  const auto title = [&] {
    const auto& timeline = made.cache.timeline(*made.model.scene);
    const ui::TimeStretch stretch = ui::measured_stretch(made.view, timeline);
    return ui::stretch_title(made.view, stretch, made.cache.statistics(*made.model.scene, stretch));
  };
  CHECK(title() == "Whole step: 60 us from 0 us to 60 us, waiting for late swap-ins 0 us");
  made.view.stretch = ui::TimeStretch{12, 30};
  CHECK(title() == "Stretch: 18 us from 12 us to 30 us, waiting for late swap-ins 0 us");
}

}  // namespace tideline
