#include <catch2/catch.hpp>
#include <fstream>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "render/view/clock_curve.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::run_action;
using app::Viewer;
using test::Desk;
using test::open_tutorial;

std::string selected(const Viewer& viewer) {
  const auto op = app::selected_op(viewer);
  return op ? std::string(viewer.graph().snapshot()->graph->graph().name(*op)) : std::string();
}

}  // namespace

TEST_CASE("Zooming keeps what lies at the level where it is", "[session]") {
  Desk viewer;
  open_tutorial(viewer);  // 94 levels
  REQUIRE(run_action(viewer, "view.zoom", {"2", "47"}));
  CHECK(viewer.view.axis == ui::AxisRange{23.5, 47});
  REQUIRE(run_action(viewer, "view.zoom", {"2", "23.5"}));
  CHECK(viewer.view.axis == ui::AxisRange{23.5, 23.5});
  REQUIRE(run_action(viewer, "view.zoom", {"0.001"}));
  CHECK(viewer.view.axis == ui::AxisRange{});
  REQUIRE(run_action(viewer, "view.zoom", {"1000000", "93"}));
  CHECK(viewer.view.axis.span == 1);
}

TEST_CASE("Ranges and pans stay within the graph", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "view.range", {"10", "29"}));
  CHECK(viewer.view.axis == ui::AxisRange{10, 20});
  REQUIRE(run_action(viewer, "view.pan", {"50%"}));
  CHECK(viewer.view.axis == ui::AxisRange{20, 20});
  REQUIRE(run_action(viewer, "view.pan", {"-1000"}));
  CHECK(viewer.view.axis == ui::AxisRange{0, 20});
  REQUIRE(run_action(viewer, "view.pan", {"1000"}));
  CHECK(viewer.view.axis == ui::AxisRange{74, 20});
  REQUIRE(run_action(viewer, "view.range", {"90", "600"}));
  CHECK(viewer.view.axis.first + viewer.view.axis.span <= 94);
  const auto outside = run_action(viewer, "view.range", {"94", "600"});
  REQUIRE_FALSE(outside);
  CHECK(outside.error().message.find("expected a first of at most 93") != std::string::npos);
  REQUIRE(run_action(viewer, "view.fit"));
  CHECK(viewer.view.axis == ui::AxisRange{});
}

TEST_CASE("The axis that is shown is zoomed, panned and fitted", "[session]") {
  Desk viewer;
  app::OpenRequest request;
  request.graph.path = TIDELINE_SOURCE_DIR "/tests/data/logs/tf1_mlp";
  app::open_graph(viewer, request);
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
  REQUIRE(app::has_trace(viewer));
  REQUIRE(run_action(viewer, "view.tab", {"timeline"}));
  REQUIRE(run_action(viewer, "view.range", {"100", "199"}));
  CHECK(viewer.view.trace == ui::AxisRange{100, 100});
  CHECK(viewer.view.axis == ui::AxisRange{});
  REQUIRE(run_action(viewer, "view.zoom", {"2", "150"}));
  CHECK(viewer.view.trace == ui::AxisRange{125, 50});
  CHECK_FALSE(run_action(viewer, "timeline.clear"));
  CHECK_FALSE(run_action(viewer, "levels.clear"));
  CHECK_FALSE(run_action(viewer, "levels.select", {"9", "3"}));
  CHECK_FALSE(run_action(viewer, "levels.select", {"3", "1000000"}));
  REQUIRE(run_action(viewer, "levels.select", {"3", "9"}));
  CHECK(viewer.view.levels == ui::LevelStretch{3, 9, false});
  REQUIRE(run_action(viewer, "levels.select", {"3", "9", "limit"}));
  CHECK(viewer.view.levels == ui::LevelStretch{3, 9, true});
  REQUIRE(run_action(viewer, "select.clear"));  // Escape
  CHECK_FALSE(viewer.view.levels);
  CHECK_FALSE(run_action(viewer, "timeline.select", {"0.2", "0.1"}));
  REQUIRE(run_action(viewer, "timeline.select", {"0.1", "0.2"}));
  REQUIRE(run_action(viewer, "view.fit-selection"));
  CHECK(viewer.view.trace == ui::AxisRange{90, 120});
  REQUIRE(run_action(viewer, "timeline.clear"));
  CHECK_FALSE(viewer.view.stretch);
  REQUIRE(run_action(viewer, "view.fit"));
  CHECK(viewer.view.trace == ui::AxisRange{});
  REQUIRE(run_action(viewer, "view.tab", {"memory"}));
  REQUIRE(run_action(viewer, "view.axis", {"step"}));
  REQUIRE(run_action(viewer, "view.range", {"2", "5"}));
  CHECK(viewer.view.steps == ui::AxisRange{2, 4});
  REQUIRE(run_action(viewer, "view.axis", {"measured"}));
  REQUIRE(run_action(viewer, "view.range", {"2", "5"}));
  CHECK(viewer.view.times == ui::AxisRange{2, 4});
}

TEST_CASE("On the axis of time numbers are microseconds", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "view.tab", {"memory"}));
  REQUIRE(run_action(viewer, "view.axis", {"time"}));
  const render::Scene scene = viewer.graph().snapshot()->scene();
  const double per_us = 1e3 / render::clock_positions(scene, 0).unit_ns;
  REQUIRE(run_action(viewer, "view.range", {"10", "20"}));
  CHECK(viewer.view.clock.first == Approx(10 * per_us));
  CHECK(viewer.view.clock.span == Approx(10 * per_us + 1));
  REQUIRE(run_action(viewer, "view.pan", {"5"}));
  CHECK(viewer.view.clock.first == Approx(15 * per_us));
  const double end = viewer.view.clock.first + viewer.view.clock.span;
  REQUIRE(run_action(viewer, "view.zoom", {"2", "15"}));
  CHECK(viewer.view.clock.first == Approx(15 * per_us));
  CHECK(viewer.view.clock.first + viewer.view.clock.span < end);
  CHECK_FALSE(run_action(viewer, "view.range", {"1e9", "1e9"}));
}

TEST_CASE("The selection has a history", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  for (const char* name : {"fc1/Relu", "conv1/Relu", "fc1/Relu"}) {
    REQUIRE(run_action(viewer, "select.op", {name}));
  }
  REQUIRE(run_action(viewer, "select.back"));
  CHECK(selected(viewer) == "conv1/Relu");
  REQUIRE(run_action(viewer, "select.back"));
  CHECK(selected(viewer) == "fc1/Relu");
  CHECK_FALSE(run_action(viewer, "select.back"));
  REQUIRE(run_action(viewer, "select.forward"));
  CHECK(selected(viewer) == "conv1/Relu");
  REQUIRE(run_action(viewer, "select.op", {"conv2/Relu:0"}));
  CHECK_FALSE(run_action(viewer, "select.forward"));
  REQUIRE(run_action(viewer, "view.fit-selection"));
  CHECK(viewer.view.axis.span > 0);
  REQUIRE(run_action(viewer, "select.clear"));
  CHECK(selected(viewer).empty());
}

TEST_CASE("One walks from swap to swap along the levels, and round", "[session]") {
  Desk viewer;
  open_tutorial(viewer, 50);
  const auto count = viewer.graph().snapshot()->plan().swaps().size();
  REQUIRE(run_action(viewer, "select.next-swap"));
  const std::string first = selected(viewer);
  std::int32_t level = -1;
  for (std::size_t i = 0; i < count; ++i) {
    const auto now =
        viewer.graph().snapshot()->graph->file->levels.level(*app::selected_op(viewer));
    CHECK(now >= level);
    level = now;
    REQUIRE(run_action(viewer, "select.next-swap"));
  }
  CHECK(selected(viewer) == first);
  REQUIRE(run_action(viewer, "select.previous-swap"));
  REQUIRE(run_action(viewer, "select.next-swap"));
  CHECK(selected(viewer) == first);
}

TEST_CASE("Finding goes from hit to hit, and round", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "search.find", {"op:Conv2D"}));
  CHECK(selected(viewer) == "conv1/Conv2D");
  REQUIRE(run_action(viewer, "search.next"));
  CHECK(selected(viewer) == "conv2/Conv2D");
  REQUIRE(run_action(viewer, "search.next"));
  CHECK(selected(viewer) == "conv1/Conv2D");
  CHECK_FALSE(run_action(viewer, "search.find", {"nothing like this"}));
}

TEST_CASE("bytes>10M, the example of the dialog for finding, finds large ops", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "graph.batch-size", {"5000"}));
  test::settle(viewer);
  REQUIRE(run_action(viewer, "search.find", {"bytes>10M op:Relu"}));
  CHECK(selected(viewer) == "conv1/Relu");  // 5000 x 28 x 28 x 32 floats
  CHECK(app::make_ui_model(viewer).search_total == 3);
  REQUIRE(run_action(viewer, "search.find", {"bytes>400m op:Relu"}));
  CHECK(app::make_ui_model(viewer).search_total == 1);
}

TEST_CASE("Escape closes what is in front before it clears the selection", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "select.op", {"fc1/Relu"}));
  REQUIRE(run_action(viewer, "help.keys"));
  REQUIRE(run_action(viewer, "select.clear"));
  CHECK(viewer.view.popup == ui::Popup::kNone);
  CHECK(selected(viewer) == "fc1/Relu");
}

TEST_CASE("Text has a smallest and a largest size", "[session]") {
  Desk viewer;
  REQUIRE(run_action(viewer, "view.font-size", {"20"}));
  REQUIRE(run_action(viewer, "view.font-size", {"+1"}));
  CHECK(viewer.view.font_px == 21);
  for (int i = 0; i < 100; ++i) REQUIRE(run_action(viewer, "view.font-size", {"-1"}));
  CHECK(viewer.view.font_px == 8);
}

TEST_CASE("Layouts arrange the window, and letters are large only to teach", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "view.font-size", {"14"}));
  REQUIRE(run_action(viewer, "view.layout", {"teach"}));
  CHECK(viewer.view.font_px == 22);
  CHECK(viewer.view.before_teaching->font_px == 14);  // what is kept in the settings
  CHECK_FALSE(viewer.view.show_right);
  CHECK(viewer.view.show_bottom);
  REQUIRE(run_action(viewer, "view.layout", {"teach"}));
  REQUIRE(run_action(viewer, "view.layout", {"inspect"}));
  CHECK(viewer.view.font_px == 14);
  CHECK(viewer.view.tab == ui::Tab::kScopes);
  CHECK(viewer.view.show_right);
  CHECK_FALSE(viewer.view.show_left);
  REQUIRE(run_action(viewer, "view.layout", {"compare"}));
  CHECK(viewer.view.tab == ui::Tab::kDiff);
  REQUIRE(run_action(viewer, "view.layout", {"tune"}));
  CHECK(viewer.view.tab == ui::Tab::kLevels);
  CHECK((viewer.view.show_left && viewer.view.show_right && viewer.view.show_bottom));
  CHECK(static_cast<const ui::Looks&>(viewer.view).left_px == ui::Looks().left_px);
  CHECK_FALSE(viewer.view.before_teaching);
  CHECK(viewer.view.font_px == 14);
}

TEST_CASE("A font is taken by its whole path, and only if it is one", "[session]") {
  Desk viewer;
  const test::TemporaryFolder folder;
  const std::string font = folder.file("a.ttf");
  std::ofstream(font, std::ios::binary) << std::string("\0\1\0\0glyphs", 10);
  REQUIRE(run_action(viewer, "view.font", {folder.file("") + "./a.ttf"}));
  CHECK(viewer.view.font_file == font);
  std::ofstream(folder.file("text.ttf")) << "no font";
  const auto refused = run_action(viewer, "view.font", {folder.file("text.ttf")});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.ends_with("text.ttf: is no font; expected TrueType or OpenType"));
  CHECK(viewer.view.font_file == font);
  REQUIRE(run_action(viewer, "view.font", {"default"}));
  CHECK(viewer.view.font_file.empty());
}

TEST_CASE("Another graph is looked at from the beginning, the same one as before", "[session]") {
  Desk viewer;
  open_tutorial(viewer);
  REQUIRE(run_action(viewer, "select.op", {"fc1/Relu"}));
  REQUIRE(run_action(viewer, "view.range", {"10", "29"}));
  REQUIRE(run_action(viewer, "file.reload"));
  test::settle(viewer);
  CHECK(selected(viewer) == "fc1/Relu");
  CHECK(viewer.view.axis == ui::AxisRange{10, 20});
  REQUIRE(run_action(viewer, "file.open",
                     {std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta"}));
  test::settle(viewer);
  CHECK(selected(viewer).empty());
  CHECK(viewer.view.axis == ui::AxisRange{});
}

}  // namespace tideline
