// The table of swaps.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "tests/gui/support/drawn_texts.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;

Intents asked_by(Driver& driver, std::string_view label) {
  driver.take();
  driver.click(label);
  return driver.take();
}

}  // namespace

TEST_CASE("A row of the swaps table selects its tensor, its rule keeps or swaps it", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK(asked_by(driver, "swaps/conv1/Relu:0") == Intents{{"select.op", {"conv1/Relu:0"}}});
  for (const auto& [choice, action] :
       {std::pair("keep", "tensor.keep"), std::pair("force", "tensor.swap")}) {
    driver.click("swaps/conv1/Relu:0/rule");
    const std::string label = std::string("swaps/conv1/Relu:0/rule/") + choice;
    CHECK(asked_by(driver, label.c_str()) == Intents{{action, {"conv1/Relu:0"}}});
  }
  driver.click("swaps/conv1/Relu:0/rule");
  CHECK(driver.has("swaps/conv1/Relu:0/rule/auto"));
  CHECK_FALSE(driver.has("swaps/conv1/Relu:0/rule/0 ahead"));
}

TEST_CASE("A row of the swaps table shows a swap-in that was placed by hand, and takes it back",
          "[panels]") {
  const auto fixture = tutorial();
  for (ui::SwapRow& row : fixture->model.swaps) {
    if (row.name == "conv1/Relu:0") row.own_ahead = 7;
  }
  Driver driver(fixture->model);
  DrawnTexts drawn;
  driver.frames(1);
  CHECK(std::any_of(drawn.texts().begin(), drawn.texts().end(),
                    [](const DrawnText& text) { return text.text == "7 ahead"; }));
  driver.click("swaps/conv1/Relu:0/rule");
  CHECK(asked_by(driver, "swaps/conv1/Relu:0/rule/7 ahead").empty());
  driver.click("swaps/conv1/Relu:0/rule");
  CHECK(asked_by(driver, "swaps/conv1/Relu:0/rule/auto") ==
        Intents{{"tensor.auto", {"conv1/Relu:0"}}});
}

TEST_CASE("A wide table of swaps has the slack in levels and the time of the link", "[panels]") {
  const auto fixture = tutorial();
  ui::ViewState view;
  Driver narrow(fixture->model, 1400, 900, view);
  CHECK_FALSE(narrow.has("swaps/headings/link"));
  view.right_px = 700;
  Driver wide(fixture->model, 1800, 900, view);
  for (const char* column : {"tensor", "size", "out", "in", "levels", "slack", "link", "rule"}) {
    INFO(column);
    CHECK(wide.has(std::string("swaps/headings/") + column));
  }
}

TEST_CASE("The filter of the swaps leaves the rows that match", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.click("swaps/filter");
  driver.type("pool");
  driver.frames(2);
  CHECK(driver.has("swaps/pool1/MaxPool:0"));
  CHECK_FALSE(driver.has("swaps/conv1/Relu:0"));
}

TEST_CASE("Sorting by size puts the largest first", "[panels]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.view.swap_sort_column = 1;
  driver.view.swap_sort_descending = true;
  driver.frames(2);
  // The table keeps its own order until its heading is clicked; the rows follow the view.
  CHECK(driver.rect("swaps/conv1/Relu:0").y0 < driver.rect("swaps/reshape/Reshape:0").y0);
}

}  // namespace tideline::gui
