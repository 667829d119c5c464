// Levels that are measured by a drag in the charts.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/gui/support/drawn_texts.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

void drag_with(Driver& driver, bool& key, std::string_view label, float dx) {
  key = true;
  driver.drag(label, dx, 0);
  key = false;
  driver.frames(1);
}

bool is_written(Driver& driver, std::string_view begins) {
  DrawnTexts drawn;
  driver.frames(1);
  return std::any_of(drawn.texts().begin(), drawn.texts().end(), [&](const DrawnText& text) {
    return text.text.starts_with(begins) && text.is_seen() && !text.is_cut();
  });
}

}  // namespace

TEST_CASE("Shift and a drag measure levels, in both charts", "[charts]") {
  const auto fixture = tutorial();
  for (const bool is_memory : {false, true}) {
    Driver driver(fixture->model);
    if (is_memory) driver.view.tab = ui::Tab::kMemory;
    driver.frames(2);
    const char* chart = is_memory ? "memory/canvas" : "levels/canvas";
    drag_with(driver, ImGui::GetIO().KeyShift, chart, 120);
    REQUIRE(driver.view.levels);
    CHECK(driver.view.levels->to > driver.view.levels->from);
    CHECK_FALSE(driver.view.levels->is_limit);
    CHECK(driver.view.axis == ui::AxisRange{});  // it did not pan
    CHECK(driver.take().empty());
    CHECK(is_written(driver, "levels "));
    CHECK(is_written(driver, "device "));
  }
}

TEST_CASE("A drag to the left measures the same levels, as far as there are any", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  drag_with(driver, ImGui::GetIO().KeyShift, "levels/canvas", -3000);
  REQUIRE(driver.view.levels);
  CHECK(driver.view.levels->from == 0);
  drag_with(driver, ImGui::GetIO().KeyShift, "levels/canvas", 3000);
  CHECK(driver.view.levels->to == 93);
}

TEST_CASE("Ctrl and a drag limit the table of swaps to levels", "[charts]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK(is_written(driver, "7 swap-ins"));
  // What is parked from level 5 to 90 is under way everywhere in the middle, but not at the ends.
  driver.view.levels = ui::LevelStretch{0, 4, true};
  driver.frames(2);
  CHECK(driver.has("swaps/reshape/Reshape:0"));
  CHECK_FALSE(driver.has("swaps/conv1/Relu:0"));
  CHECK(is_written(driver, "1 of 7 swap-ins"));
  driver.take();
  driver.click("swaps/Only levels 0 to 4: show all");
  CHECK(driver.take() == ui::Intents{{"levels.clear"}});
  // Measured alone they limit nothing.
  driver.view.levels->is_limit = false;
  driver.frames(2);
  CHECK(is_written(driver, "7 swap-ins"));
  driver.view.levels.reset();
  drag_with(driver, ImGui::GetIO().KeyCtrl, "levels/canvas", 120);
  REQUIRE(driver.view.levels);
  CHECK(driver.view.levels->is_limit);
  CHECK(driver.view.y_zoom == 1);
}

}  // namespace tideline::gui
