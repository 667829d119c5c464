#include <catch2/catch.hpp>

#include "app/actions/commands.h"
#include "app/actions/shown_boxes.h"
#include "render/view/scope_layout.h"
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

TEST_CASE("Boxes are moved aside and back by their names, or as what is marked", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  using Aside = render::AsideBoxes;
  REQUIRE(run_action(viewer, "scope.aside", {"on", "conv1"}));
  REQUIRE(run_action(viewer, "scope.aside", {"off", "conv1/Relu"}));
  CHECK(viewer.view.boxes.aside == Aside{{"conv1", true}, {"conv1/Relu", false}});
  REQUIRE(run_action(viewer, "scope.aside", {"auto", "conv1/Relu"}));
  REQUIRE(run_action(viewer, "scope.aside", {"toggle", "conv1"}));  // as it is by itself
  CHECK(viewer.view.boxes.aside.empty());
  const auto nothing = run_action(viewer, "scope.aside", {"toggle"});
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error().message.find("nothing is marked") != std::string::npos);
  REQUIRE(run_action(viewer, "scope.pick", {"conv2"}));
  REQUIRE(run_action(viewer, "scope.aside", {"toggle"}));
  REQUIRE(run_action(viewer, "select.op", {"fc1/Relu"}));
  REQUIRE(run_action(viewer, "scope.aside", {"toggle"}));
  CHECK(viewer.view.boxes.aside == Aside{{"conv2", true}, {"fc1/Relu", true}});
  const auto gone = run_action(viewer, "scope.aside", {"on", "conv9"});
  REQUIRE_FALSE(gone);
  CHECK(gone.error().message.find("there is no scope and no op 'conv9'") != std::string::npos);
  app::open_graph(viewer, {.graph = {.path = TIDELINE_SOURCE_DIR "/tests/data/graphs/mlp.meta"}});
  test::settle(viewer);
  CHECK(viewer.view.boxes.aside.empty());
}

TEST_CASE("What stands aside by itself is moved into the flow", "[session]") {
  Desk viewer;
  app::open_graph(viewer,
                  {.graph = {.path = TIDELINE_SOURCE_DIR "/tests/data/graphs/while_nested.meta"}});
  test::settle(viewer);
  const auto is_aside = [&](const char* path) {
    const render::Scene scene = viewer.graph().snapshot()->scene();
    const render::ScopeBoxes& boxes = app::shown_boxes(viewer);
    const auto layout = render::layout_scopes(scene, boxes, viewer.view.boxes);
    return layout.placed[render::placed_of_box(boxes, layout, *boxes.find(path))].is_aside;
  };
  REQUIRE(is_aside("global_step"));
  REQUIRE(run_action(viewer, "scope.aside", {"toggle", "global_step"}));
  CHECK(viewer.view.boxes.aside == render::AsideBoxes{{"global_step", false}});
  CHECK_FALSE(is_aside("global_step"));
}

}  // namespace tideline
