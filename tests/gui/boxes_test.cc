#include <catch2/catch.hpp>
#include <cmath>

#include "app/gui/keys.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;

// The view with the scope conv1 open.
void show_conv1(Driver& driver) {
  driver.view.tab = ui::Tab::kScopes;
  driver.view.boxes.open = {"conv1"};
  driver.frames(3);
  driver.take();
}

}  // namespace

TEST_CASE("A double click opens a box, and another one closes it", "[boxes]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1600, 1000);
  driver.click("centre/Scopes");
  driver.frames(3);
  REQUIRE(driver.view.tab == ui::Tab::kScopes);
  REQUIRE(driver.has("boxes/box conv1"));
  CHECK_FALSE(driver.has("boxes/box conv1/Relu"));
  driver.take();
  driver.double_click(middle(driver.rect("boxes/box conv1")));
  const Intents asked = driver.take();
  REQUIRE_FALSE(asked.empty());
  CHECK(asked.back() == ui::Intent{"scope.toggle", {"conv1"}});
  driver.view.boxes.open = {"conv1"};
  driver.frames(2);
  CHECK(driver.has("boxes/box conv1/Relu"));
}

TEST_CASE("A click marks a scope, or selects an op, and the mouse says what is there", "[boxes]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1600, 1000);
  show_conv1(driver);
  driver.click("boxes/box conv2");
  CHECK(driver.take() == Intents{{"scope.pick", {"conv2"}}});
  driver.frames(60);  // no double click with the one before
  driver.click("boxes/box conv1/Relu");
  CHECK(driver.take() == Intents{{"select.op", {"conv1/Relu"}}});
  driver.move_to(middle(driver.rect("boxes/box conv2")));
  driver.frames(2);
  CHECK(driver.view.tooltip.find("conv2\nscope, ") == 0);
}

TEST_CASE("The scopes view zooms at the mouse and is dragged, and W A S D move it", "[boxes]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1600, 1000);
  driver.view.tab = ui::Tab::kScopes;
  driver.frames(3);
  const render::Point before = middle(driver.rect("boxes/box conv2"));
  driver.wheel(before, 3);
  driver.frames(2);
  REQUIRE(driver.view.scopes.span > 0);
  CHECK(driver.view.axis == ui::AxisRange{});  // of the levels
  const render::Point zoomed = middle(driver.rect("boxes/box conv2"));
  CHECK(std::abs(zoomed.x - before.x) < 8);
  const ui::AxisRange range = driver.view.scopes;
  driver.drag("boxes/box conv2", -60, 0);
  driver.frames(2);
  CHECK(driver.view.scopes.first > range.first);
  driver.move_to({1, 1});
  driver.frames(2);
  REQUIRE(navigate("S", fixture->model, driver.view));
  CHECK(driver.view.scopes.span > range.span);
}

TEST_CASE("Colours, direction and how far flows are marked are chosen beside the tabs", "[boxes]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1600, 1000);
  show_conv1(driver);
  driver.click("centre/vertical");
  driver.click("centre/Close all");
  CHECK(driver.take() == Intents{{"scope.direction", {"vertical"}}, {"scope.collapse", {"*"}}});
  CHECK(driver.has("centre/color"));
  CHECK(driver.has("centre/trace"));
}

TEST_CASE("A double click on an op of a loop enters the loop, one on another op shows it",
          "[boxes]") {
  const auto fixture = gui::fixture("tests/data/graphs/while_nested.meta", {});
  Driver driver(fixture->model, 1600, 1000);
  driver.view.tab = ui::Tab::kScopes;
  driver.view.boxes.open = {"outer"};
  driver.frames(3);
  CHECK_FALSE(driver.has("centre/graph"));
  driver.take();
  driver.double_click(middle(driver.rect("boxes/box outer/Enter")));
  CHECK(driver.take().back() == ui::Intent{"scope.enter", {"outer/Enter"}});
  driver.frames(60);
  driver.double_click(middle(driver.rect("boxes/box outer/Identity")));  // of its body
  CHECK(driver.take().back() == ui::Intent{"view.fit-selection"});
}

TEST_CASE("Within a loop its way is shown beside the tabs, and leads back", "[boxes]") {
  const auto fixture = gui::fixture("tests/data/graphs/while_nested.meta", {});
  Driver driver(fixture->model, 1600, 1000);
  driver.view.tab = ui::Tab::kScopes;
  driver.view.boxes.loop = "outer/inner/while_context";
  driver.view.boxes.open = {"outer", "outer/inner"};
  driver.frames(3);
  CHECK(driver.has("boxes/box outer/inner/Enter"));
  CHECK_FALSE(driver.has("boxes/box save"));
  driver.take();
  driver.click("centre/outer/while_context");
  driver.click("centre/graph");
  CHECK(driver.take() ==
        Intents{{"scope.loop", {"outer/while_context"}}, {"scope.leave", {"all"}}});
}

TEST_CASE("The menu of a box moves it aside and back, and enters what is in it", "[boxes]") {
  const auto fixture = gui::fixture("tests/data/graphs/while_nested.meta", {});
  Driver driver(fixture->model, 1600, 1000);
  driver.view.tab = ui::Tab::kScopes;
  driver.frames(3);
  driver.take();
  driver.right_click("boxes/box outer");
  driver.frames(2);
  CHECK_FALSE(driver.has("context/Place by itself"));
  driver.click("context/Move aside");
  CHECK(driver.take() == Intents{{"scope.aside", {"on", "outer"}}});
  driver.view.boxes.aside["outer"] = true;
  driver.frames(2);
  driver.right_click("boxes/box outer");
  driver.frames(2);
  driver.click("context/Back into the flow");
  driver.right_click("boxes/box outer");
  driver.frames(2);
  driver.click("context/Place by itself");
  driver.right_click("boxes/box outer");
  driver.frames(2);
  driver.click("context/Show only the loop outer/while_context");
  CHECK(driver.take() == Intents{{"scope.aside", {"off", "outer"}},
                                 {"scope.aside", {"auto", "outer"}},
                                 {"scope.loop", {"outer/while_context"}}});
}

TEST_CASE("An op that calls several functions offers them", "[boxes]") {
  const auto fixture = gui::fixture("tests/data/graphs/tf2_controlflow.pb", {});
  Driver driver(fixture->model, 1600, 1000);
  driver.view.tab = ui::Tab::kScopes;
  driver.frames(3);
  driver.take();
  // A scope has the same name: the op is where its functions are said.
  render::Point at = middle(driver.rect("boxes/box Identity"));
  while (at.x > 0 && driver.view.tooltip.find("calls body while_body_14487") == std::string::npos) {
    at.x -= 15;
    driver.move_to(at);
    driver.frames(2);
  }
  driver.double_click(at);
  driver.frames(3);
  REQUIRE(driver.has("context/Open body: while_body_14487"));
  driver.take();
  driver.click("context/Open cond: while_cond_14486");
  CHECK(driver.take() == Intents{{"scope.enter", {"while", "while_cond_14486"}}});
}

TEST_CASE("Shift or Ctrl and a drag over boxes choose their levels", "[boxes]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1600, 1000);
  show_conv1(driver);
  const auto drag = [&](bool& key) {
    key = true;
    driver.drag("boxes/box conv2", 40, 40);
    key = false;
    driver.frames(1);
  };
  drag(ImGui::GetIO().KeyShift);
  REQUIRE(driver.view.levels);
  CHECK_FALSE(driver.view.levels->is_limit);
  CHECK(driver.view.levels->to > driver.view.levels->from);
  CHECK(driver.view.scopes == ui::AxisRange{});  // it did not pan
  CHECK(driver.take().empty());                  // nor click
  const ui::LevelStretch measured = *driver.view.levels;
  drag(ImGui::GetIO().KeyCtrl);
  CHECK(*driver.view.levels == ui::LevelStretch{measured.from, measured.to, true});
}

}  // namespace tideline::gui
