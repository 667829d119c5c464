#include <catch2/catch.hpp>

#include "app/session/commands.h"
#include "tests/unit/session/app_fixture.h"

namespace tideline {
namespace {

using session::App;
using session::run_action;
using test::open_tutorial;

std::string selected(const App& app) {
  const auto op = session::selected_op(app);
  return op ? std::string(app.session.snapshot()->graph->graph().name(*op)) : std::string();
}

}  // namespace

TEST_CASE("Zooming keeps what lies at the level where it is", "[session]") {
  App app;
  open_tutorial(app);  // 94 levels
  REQUIRE(run_action(app, "view.zoom", {"2", "47"}));
  CHECK(app.view.axis == ui::AxisRange{23.5, 47});
  REQUIRE(run_action(app, "view.zoom", {"2", "23.5"}));
  CHECK(app.view.axis == ui::AxisRange{23.5, 23.5});
  REQUIRE(run_action(app, "view.zoom", {"0.001"}));
  CHECK(app.view.axis == ui::AxisRange{});
  REQUIRE(run_action(app, "view.zoom", {"1000000", "93"}));
  CHECK(app.view.axis.span == 1);
}

TEST_CASE("Ranges and pans stay within the graph", "[session]") {
  App app;
  open_tutorial(app);
  REQUIRE(run_action(app, "view.range", {"10", "29"}));
  CHECK(app.view.axis == ui::AxisRange{10, 20});
  REQUIRE(run_action(app, "view.pan", {"50%"}));
  CHECK(app.view.axis == ui::AxisRange{20, 20});
  REQUIRE(run_action(app, "view.pan", {"-1000"}));
  CHECK(app.view.axis == ui::AxisRange{0, 20});
  REQUIRE(run_action(app, "view.pan", {"1000"}));
  CHECK(app.view.axis == ui::AxisRange{74, 20});
  REQUIRE(run_action(app, "view.range", {"500", "600"}));
  CHECK(app.view.axis.first + app.view.axis.span <= 94);
  REQUIRE(run_action(app, "view.fit"));
  CHECK(app.view.axis == ui::AxisRange{});
}

TEST_CASE("The selection has a history", "[session]") {
  App app;
  open_tutorial(app);
  for (const char* name : {"fc1/Relu", "conv1/Relu", "fc1/Relu"}) {
    REQUIRE(run_action(app, "select.op", {name}));
  }
  REQUIRE(run_action(app, "select.back"));
  CHECK(selected(app) == "conv1/Relu");
  REQUIRE(run_action(app, "select.back"));
  CHECK(selected(app) == "fc1/Relu");
  CHECK_FALSE(run_action(app, "select.back"));
  REQUIRE(run_action(app, "select.forward"));
  CHECK(selected(app) == "conv1/Relu");
  REQUIRE(run_action(app, "select.op", {"conv2/Relu:0"}));
  CHECK_FALSE(run_action(app, "select.forward"));
  REQUIRE(run_action(app, "view.fit-selection"));
  CHECK(app.view.axis.span > 0);
  REQUIRE(run_action(app, "select.clear"));
  CHECK(selected(app).empty());
}

TEST_CASE("One walks from swap to swap along the levels, and round", "[session]") {
  App app;
  open_tutorial(app, 50);
  const auto count = app.session.snapshot()->plan().swaps.size();
  REQUIRE(run_action(app, "select.next-swap"));
  const std::string first = selected(app);
  std::int32_t level = -1;
  for (std::size_t i = 0; i < count; ++i) {
    const auto now = app.session.snapshot()->graph->file->levels.level(*session::selected_op(app));
    CHECK(now >= level);
    level = now;
    REQUIRE(run_action(app, "select.next-swap"));
  }
  CHECK(selected(app) == first);
  REQUIRE(run_action(app, "select.previous-swap"));
  REQUIRE(run_action(app, "select.next-swap"));
  CHECK(selected(app) == first);
}

TEST_CASE("Finding goes from hit to hit, and round", "[session]") {
  App app;
  open_tutorial(app);
  REQUIRE(run_action(app, "search.find", {"op:Conv2D"}));
  CHECK(selected(app) == "conv1/Conv2D");
  REQUIRE(run_action(app, "search.next"));
  CHECK(selected(app) == "conv2/Conv2D");
  REQUIRE(run_action(app, "search.next"));
  CHECK(selected(app) == "conv1/Conv2D");
  CHECK_FALSE(run_action(app, "search.find", {"nothing like this"}));
}

TEST_CASE("Escape closes what is in front before it clears the selection", "[session]") {
  App app;
  open_tutorial(app);
  REQUIRE(run_action(app, "select.op", {"fc1/Relu"}));
  REQUIRE(run_action(app, "help.keys"));
  REQUIRE(run_action(app, "select.clear"));
  CHECK(app.view.popup == ui::Popup::kNone);
  CHECK(selected(app) == "fc1/Relu");
}

TEST_CASE("Text has a smallest and a largest size", "[session]") {
  App app;
  REQUIRE(run_action(app, "view.font-size", {"20"}));
  REQUIRE(run_action(app, "view.font-size", {"+1"}));
  CHECK(app.view.font_px == 21);
  for (int i = 0; i < 100; ++i) REQUIRE(run_action(app, "view.font-size", {"-1"}));
  CHECK(app.view.font_px == 8);
}

TEST_CASE("Another graph is looked at from the beginning, the same one as before", "[session]") {
  App app;
  open_tutorial(app);
  REQUIRE(run_action(app, "select.op", {"fc1/Relu"}));
  REQUIRE(run_action(app, "view.range", {"10", "29"}));
  REQUIRE(run_action(app, "file.reload"));
  test::settle(app);
  CHECK(selected(app) == "fc1/Relu");
  CHECK(app.view.axis == ui::AxisRange{10, 20});
  REQUIRE(run_action(app, "file.open",
                     {std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta"}));
  test::settle(app);
  CHECK(selected(app).empty());
  CHECK(app.view.axis == ui::AxisRange{});
}

}  // namespace tideline
