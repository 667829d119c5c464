#include <catch2/catch.hpp>

#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;

Intents clicked(Driver& driver, std::string_view label) {
  driver.take();
  driver.click(label);
  return driver.take();
}

}  // namespace

TEST_CASE("Without a device the tab says what to fill in", "[fit]") {
  const auto fixture = tutorial();
  fixture->model.fit.problem = "Which device is meant?";
  Driver driver(fixture->model);
  driver.click("centre/Fit");
  driver.frames(2);
  CHECK(driver.view.tab == ui::Tab::kFit);
  CHECK_FALSE(driver.has("fit/canvas"));
  CHECK(clicked(driver, "fit/Find out") == Intents{{"graph.fit"}});
}

TEST_CASE("While it is found out what fits, that can be cancelled", "[fit]") {
  const auto fixture = tutorial();
  fixture->model.fit.is_running = true;
  Driver driver(fixture->model);
  driver.view.tab = ui::Tab::kFit;
  driver.frames(2);
  CHECK(clicked(driver, "fit/Cancel") == Intents{{"job.cancel"}});
}

TEST_CASE("The answer has its verdict, a command for each way, and the curve", "[fit]") {
  const auto fixture = tutorial();
  fixture->model.fit.card = some_fit();
  Driver driver(fixture->model, 1400, 1000);
  driver.view.tab = ui::Tab::kFit;
  driver.frames(2);
  CHECK(driver.has("fit/verdict"));
  CHECK(driver.has("fit/largest"));
  CHECK_FALSE(driver.has("fit/Find out"));
  CHECK(clicked(driver, "fit/way 1/Copy command") == Intents{{"graph.copy-way", {"1"}}});
  CHECK_FALSE(driver.has("fit/way 2/Copy command"));  // there is nothing to write
  REQUIRE(driver.has("fit/canvas"));
  // Somewhere on the curve of the device peak there is a point.
  const render::Rect canvas = driver.rect("fit/canvas");
  bool was_hit = false;
  for (float y = canvas.y0 + 20; y < canvas.y1 && !was_hit; y += 8) {
    for (float x = canvas.x0 + 20; x < canvas.x1 && !was_hit; x += 16) {
      driver.move_to({x, y});
      driver.frames(1);
      was_hit = driver.view.tooltip.find(", batch size ") != std::string::npos;
    }
  }
  CHECK(was_hit);
}

TEST_CASE("A stale answer says so and can be found anew", "[fit]") {
  const auto fixture = tutorial();
  fixture->model.fit.card = some_fit();
  fixture->model.fit.is_stale = true;
  Driver driver(fixture->model);
  driver.view.tab = ui::Tab::kFit;
  driver.frames(2);
  CHECK(driver.has("fit/verdict"));
  CHECK(clicked(driver, "fit/Find out") == Intents{{"graph.fit"}});
}

}  // namespace tideline::gui
