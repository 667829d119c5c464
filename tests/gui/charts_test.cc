#include <algorithm>
#include <catch2/catch.hpp>

#include "render/model/axis_range.h"
#include "render/model/player.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::AxisRange;
using ui::Intents;

}  // namespace

TEST_CASE("Zooming keeps what is under the mouse where it is", "[charts]") {
  const AxisRange once = ui::zoomed({}, 100, 2, 30);
  CHECK(once.span == 50);
  CHECK(once.first == 15);
  // 30 was three tenths from the left, and still is.
  CHECK((30 - once.first) / once.span == 0.3);
  CHECK(ui::zoomed(once, 100, 0.5, 30) == AxisRange{});
  CHECK(ui::zoomed({}, 100, 1e9, 50).span == ui::kLeastSpan);
}

TEST_CASE("Panning stops at the ends", "[charts]") {
  CHECK(ui::panned({10, 20}, 100, -50) == AxisRange{0, 20});
  CHECK(ui::panned({10, 20}, 100, 500) == AxisRange{80, 20});
  CHECK(ui::panned({}, 100, 5) == AxisRange{});
  CHECK(ui::zoomed({}, 0, 2, 0) == AxisRange{});
}

TEST_CASE("The wheel zooms the levels, and the memory below goes along", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  const render::Point at = middle(driver.rect("levels/canvas"));
  driver.wheel(at, 3);
  const AxisRange zoomed = driver.view.axis;
  CHECK(zoomed.span > 0);
  CHECK(zoomed.span < 94);
  driver.wheel(middle(driver.rect("memory/canvas")), 1);
  CHECK(driver.view.axis.span < zoomed.span);
  driver.wheel(at, -20);
  CHECK(driver.view.axis == AxisRange{});
}

TEST_CASE("The wheel with Ctrl makes the rows higher", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.wheel(middle(driver.rect("levels/canvas")), 2, true);
  CHECK(driver.view.y_zoom > 1.2);
  CHECK(driver.view.axis == AxisRange{});
}

TEST_CASE("A button plays the step, and while there is a cursor its speed is chosen", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK_FALSE(driver.has("centre/speed"));
  driver.click("centre/Play");
  const Intents asked = driver.take();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].action == "player.play");
  ui::play(driver.view, 94);
  driver.view.player = 45.5;
  driver.frames(2);
  CHECK(driver.has("centre/Pause"));
  const std::size_t played = driver.vertex_count();
  driver.click("centre/speed");
  driver.click("centre/speed/16 /s");
  const Intents chosen = driver.take();
  REQUIRE(chosen.size() == 1);
  CHECK(chosen[0].arguments == std::vector<std::string>{"16"});
  driver.click("centre/x");
  CHECK(driver.take().at(0).action == "player.leave");
  ui::leave_player(driver.view);
  driver.frames(2);
  CHECK(driver.has("centre/Play"));
  CHECK(driver.vertex_count() < played);  // without cursor and tokens
}

TEST_CASE("Dragging moves the levels along", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.view.axis = {40, 20};
  driver.frames(1);
  driver.drag("levels/canvas", 100, 0);
  CHECK(driver.view.axis.first < 40);
  CHECK(driver.view.axis.span == 20);
  CHECK(driver.take().empty());  // moving is no click
}

TEST_CASE("A click on a bar of the host lane selects its tensor", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  const render::Rect area = driver.rect("levels/canvas");
  // Bars lie at the top; somewhere on the way down the middle there is one.
  std::string selected;
  for (float y = area.y0 + 20; y < area.y0 + 160 && selected.empty(); y += 3) {
    driver.take();
    driver.click({middle(area).x, y});
    for (const ui::Intent& intent : driver.take()) {
      if (intent.action == "select.op") selected = intent.arguments.at(0);
    }
  }
  bool is_swapped = false;
  for (const ui::SwapRow& row : fixture->model.swaps) is_swapped |= row.name == selected;
  CHECK(is_swapped);
}

TEST_CASE("A click on nothing clears the selection", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  const render::Rect area = driver.rect("levels/canvas");
  driver.click({area.x1 - 3, area.y1 - 3});
  CHECK(driver.take() == Intents{{"select.clear"}});
}

TEST_CASE("The cursor is shared by both charts", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.move_to(middle(driver.rect("memory/canvas")));
  driver.frames(1);
  REQUIRE(driver.view.cursor);
  // The middle of 94 levels, but for what the labels at the left take: as much as the font wants.
  CHECK(*driver.view.cursor == Approx(47).margin(3));
}

TEST_CASE("The memory tab shows bands, a table of what is live, and steps", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.click("centre/Memory");
  driver.frames(2);
  CHECK(driver.view.tab == ui::Tab::kMemory);
  // 12.25 MiB of the first dense layer are there at every step.
  driver.take();
  driver.click("live/fc1/Variable:0");
  CHECK(driver.take() == Intents{{"select.op", {"fc1/Variable:0"}}});
  driver.click("centre/axis");
  driver.click("centre/axis/by step");
  CHECK(driver.view.memory_axis == ui::AxisKind::kStep);
  driver.wheel(middle(driver.rect("memory/canvas")), 2);
  CHECK(driver.view.steps.span > 0);
  CHECK(driver.view.axis == AxisRange{});
}

TEST_CASE("By time a click on a copy selects its swap, and one on what waits sorts them",
          "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.click("centre/Memory");
  driver.frames(2);
  driver.click("centre/axis");
  driver.click("centre/axis/by time");
  driver.frames(2);
  CHECK(driver.view.memory_axis == ui::AxisKind::kTime);
  const render::Rect chart = driver.rect("memory/canvas");
  const float font = driver.view.font_px;
  driver.take();
  Intents asked;
  for (float x = chart.x0 + 4 * font; x < chart.x1 && asked.empty(); x += 3) {
    driver.click({x, chart.y0 + 1.8F * font});  // the row of copies to the host
    asked = driver.take();
  }
  REQUIRE(asked.size() == 1);
  CHECK(asked.front().action == "select.op");
  const auto& swaps = fixture->model.swaps;
  CHECK(std::any_of(swaps.begin(), swaps.end(), [&](const ui::SwapRow& row) {
    return asked.front().arguments == std::vector<std::string>{row.name};
  }));
  driver.click({chart.x1 - 2 * font, chart.y0 + 0.7F * font});
  driver.frames(3);
  CHECK(driver.take() == Intents{});
  CHECK(driver.view.swap_sort_column == static_cast<int>(ui::SwapColumn::kSlack));
  driver.wheel(middle(chart), 2);
  CHECK(driver.view.clock.span > 0);
  CHECK(driver.view.axis == AxisRange{});
}

}  // namespace tideline::gui
