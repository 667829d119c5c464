#include <catch2/catch.hpp>

#include "app/gui/keys.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

// In the names at the left; the lane of ops is the first one.
render::Point in_canvas(const Driver& driver, float x_share, float y_px) {
  const render::Rect canvas = driver.rect("timeline/canvas");
  return {canvas.x0 + canvas.width() * x_share, canvas.y0 + y_px};
}

}  // namespace

TEST_CASE("Without a traced step the timeline says how to open one", "[timeline]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.click("centre/Timeline");
  driver.frames(2);
  CHECK(driver.view.tab == ui::Tab::kTimeline);
  CHECK_FALSE(driver.has("timeline/canvas"));
}

TEST_CASE("The timeline zooms at the mouse, and W A S D move it", "[timeline]") {
  const auto fixture = traced_swaps();
  Driver driver(fixture->model);
  driver.click("centre/Timeline");
  driver.frames(2);
  REQUIRE(driver.has("timeline/canvas"));
  driver.wheel(in_canvas(driver, 0.6F, 40), 3);
  const ui::AxisRange zoomed = driver.view.trace;
  REQUIRE(zoomed.span > 0);
  CHECK(zoomed.first > 0);
  CHECK(driver.view.axis == ui::AxisRange{});  // of the levels
  driver.move_to({1, 1});
  driver.frames(2);
  REQUIRE(navigate("D", fixture->model, driver.view));
  CHECK(driver.view.trace.first > zoomed.first);
  REQUIRE(navigate("S", fixture->model, driver.view));
  CHECK(driver.view.trace.span > zoomed.span);
  REQUIRE(navigate("W", fixture->model, driver.view));
  REQUIRE(navigate("A", fixture->model, driver.view));
  CHECK(driver.view.trace.span < zoomed.span * 1.01);
}

TEST_CASE("A click in the timeline selects the op, and Shift and a drag choose a stretch",
          "[timeline]") {
  const auto fixture = traced_swaps();
  Driver driver(fixture->model);
  driver.view.tab = ui::Tab::kTimeline;
  driver.frames(3);
  // The ops begin where the names end.
  const render::Point first = in_canvas(driver, 0.25F, 34);
  driver.move_to(first);
  driver.frames(2);
  CHECK(driver.view.tooltip.find("Relu") != std::string::npos);
  driver.take();
  driver.click(first);
  const ui::Intents asked = driver.take();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].action == "select.op");
  ImGui::GetIO().KeyShift = true;
  driver.drag("timeline/canvas", 200, 0);
  ImGui::GetIO().KeyShift = false;
  REQUIRE(driver.view.stretch);
  CHECK(driver.view.stretch->to_us > driver.view.stretch->from_us);
  CHECK(driver.view.trace == ui::AxisRange{});  // it did not pan
  driver.frames(2);
  driver.take();
  driver.click("statistics/Whole step");
  CHECK(driver.take() == ui::Intents{{"timeline.clear"}});
}

}  // namespace tideline::gui
