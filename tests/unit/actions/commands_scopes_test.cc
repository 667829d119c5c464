#include <catch2/catch.hpp>

#include "app/actions/commands.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::run_action;
using test::Desk;
using test::open_tutorial;
using Open = render::OpenBoxes;

}  // namespace

TEST_CASE("Scopes open with all around them and close with all within them", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "scope.expand", {"loss"}));
  REQUIRE(run_action(viewer, "scope.expand", {"conv1"}));
  CHECK(viewer.view.boxes.open == Open{"conv1", "loss"});
  REQUIRE(run_action(viewer, "scope.toggle", {"loss"}));
  CHECK(viewer.view.boxes.open == Open{"conv1"});
  REQUIRE(run_action(viewer, "scope.toggle", {"loss"}));
  CHECK(viewer.view.boxes.open == Open{"conv1", "loss"});
  REQUIRE(run_action(viewer, "scope.collapse", {"conv1"}));
  CHECK(viewer.view.boxes.open == Open{"loss"});
  REQUIRE(run_action(viewer, "scope.expand", {"*"}));
  CHECK(viewer.view.boxes.open.size() > 10);
  REQUIRE(run_action(viewer, "scope.collapse", {"*"}));
  CHECK(viewer.view.boxes.open.empty());
  const auto gone = run_action(viewer, "scope.expand", {"conv9"});
  REQUIRE_FALSE(gone);
  CHECK(gone.error().message.find("there is no scope 'conv9'") != std::string::npos);
}

TEST_CASE("A marked scope takes the place of a selected op, and the other way round", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "select.op", {"conv1/Relu"}));
  REQUIRE(run_action(viewer, "scope.pick", {"conv1"}));
  CHECK(viewer.view.boxes.picked == "conv1");
  CHECK_FALSE(viewer.view.selected);
  REQUIRE(run_action(viewer, "select.op", {"conv1/Relu"}));
  CHECK(viewer.view.boxes.picked.empty());
  REQUIRE(run_action(viewer, "scope.pick", {"conv1"}));
  REQUIRE(run_action(viewer, "select.clear"));
  CHECK(viewer.view.boxes.picked.empty());
}

TEST_CASE("Fitting the selection in the scopes view opens what is around the op", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "view.tab", {"scopes"}));
  REQUIRE(run_action(viewer, "scope.direction", {"vertical"}));
  REQUIRE(run_action(viewer, "select.op", {"conv1/Relu"}));
  REQUIRE(run_action(viewer, "view.fit-selection"));
  CHECK(viewer.view.boxes.open == Open{"conv1"});
  CHECK(viewer.view.scopes.span > 0);
  CHECK(viewer.view.axis == ui::AxisRange{});  // of the levels
  REQUIRE(run_action(viewer, "view.zoom", {"2"}));
  CHECK(viewer.view.axis == ui::AxisRange{});
  REQUIRE(run_action(viewer, "view.fit"));
  CHECK(viewer.view.scopes == ui::AxisRange{});
  CHECK(viewer.view.boxes.y_0_1 == 0.5);
}

TEST_CASE("Another graph begins with closed scopes", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "scope.expand", {"conv1"}));
  app::open_graph(viewer, {.graph = {.path = TIDELINE_SOURCE_DIR "/tests/data/graphs/mlp.meta"}});
  test::settle(viewer);
  CHECK(viewer.view.boxes.open.empty());
}

}  // namespace tideline
