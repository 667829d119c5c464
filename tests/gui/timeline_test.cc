#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

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

TEST_CASE("The statistics of the timeline sort by the heading that is clicked", "[timeline]") {
  const auto fixture = traced_swaps();
  Driver driver(fixture->model, 1600, 1200);
  driver.view.tab = ui::Tab::kTimeline;
  driver.view.bottom_share = 0.6F;
  driver.frames(3);
  const auto order = [&] {
    std::vector<std::pair<float, std::string>> rows;
    for (const char* name : {"row Relu", "row ReluGrad", "row Identity"})
      if (driver.has(std::string("statistics/") + name))
        rows.emplace_back(driver.rect(std::string("statistics/") + name).y0, name);
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  REQUIRE(order().size() >= 2);
  driver.click("statistics/headings/lane or type");
  driver.frames(2);
  const auto ascending = order();
  driver.click("statistics/headings/lane or type");
  driver.frames(2);
  const auto descending = order();
  REQUIRE(ascending.size() == descending.size());
  CHECK(ascending.front().second == descending.back().second);
  CHECK(ascending.front().second < ascending.back().second);
}

}  // namespace tideline::gui
