#include <catch2/catch.hpp>

#include "app/actions/bookmarks.h"
#include "app/actions/commands.h"
#include "app/actions/session_file.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::read_place;
using app::run_action;
using test::Desk;

void act(Desk& desk, std::string_view action, const app::Words& words = {}) {
  const auto done = run_action(desk, action, words);
  INFO((done ? std::string() : done.error().message));
  REQUIRE(done);
}

std::string refusal(Desk& desk, std::string_view action, const app::Words& words) {
  const auto done = run_action(desk, action, words);
  REQUIRE_FALSE(done);
  return done.error().message;
}

}  // namespace

TEST_CASE("A bookmark brings back the view, the stretch and the selection", "[session]") {
  Desk desk;
  test::open_tutorial(desk, 50);
  act(desk, "view.range", {"10", "29"});
  act(desk, "select.op", {"fc1/Relu"});
  act(desk, "bookmark.keep", {"next"});
  CHECK(desk.session.journal().messages().back().text ==
        "Bookmark 1: Levels 10 to 29, fc1/Relu. The key 1 comes back here.");
  act(desk, "bookmark.keep", {"next"});  // the same place
  CHECK_FALSE(desk.view.bookmarks[1]);
  act(desk, "view.tab", {"memory"});
  act(desk, "view.axis", {"step"});
  act(desk, "view.range", {"3", "12"});
  act(desk, "select.clear");
  act(desk, "bookmark.keep", {"next"});
  act(desk, "view.fit");
  act(desk, "bookmark.go 1");
  CHECK(desk.view.tab == ui::Tab::kLevels);
  CHECK(desk.view.axis == ui::AxisRange{10, 20});
  REQUIRE(app::selected_op(desk));
  CHECK(desk.graph().snapshot()->shown->graph().name(*app::selected_op(desk)) == "fc1/Relu");
  act(desk, "bookmark.go 2");
  CHECK(desk.view.tab == ui::Tab::kMemory);
  CHECK(desk.view.memory_axis == ui::AxisKind::kStep);
  CHECK(desk.view.steps == ui::AxisRange{3, 10});
  CHECK_FALSE(app::selected_op(desk));
}

TEST_CASE("Bookmarks are named where there is none, or no room for one", "[session]") {
  Desk desk;
  test::open_tutorial(desk);
  CHECK(refusal(desk, "bookmark.go", {"1"}).ends_with("expected bookmark.keep 1 first"));
  CHECK(refusal(desk, "bookmark.keep", {"x"}).ends_with("or next"));
  for (int i = 1; i <= 9; ++i) {
    act(desk, "view.range", {std::to_string(i), std::to_string(i + 9)});
    act(desk, "bookmark.keep", {"next"});
  }
  act(desk, "view.fit");
  CHECK(refusal(desk, "bookmark.keep", {"next"}).find("all 9 bookmarks are in use") !=
        std::string::npos);
  act(desk, "bookmark.drop", {"4"});
  CHECK(refusal(desk, "bookmark.go", {"4"}).find("there is no bookmark 4") != std::string::npos);
  CHECK(refusal(desk, "bookmark.go", {"10"}).find("a number from 1 to 9") != std::string::npos);
  act(desk, "bookmark.keep", {"next"});
  CHECK(desk.view.bookmarks[3] == ui::Bookmark{});
}

TEST_CASE("A bookmark of an axis that is gone shows the levels", "[session]") {
  Desk desk;
  test::open_tutorial(desk, 50);
  act(desk, "view.range", {"10", "29"});
  act(desk, "bookmark.put", {"1", "timeline 100 900"});
  act(desk, "view.tab", {"memory"});
  act(desk, "bookmark.go 1");
  CHECK(desk.view.tab == ui::Tab::kLevels);
  CHECK(desk.view.axis == ui::AxisRange{});
  // One of levels leaves the axis of the memory view alone.
  act(desk, "view.axis", {"step"});
  act(desk, "bookmark.put", {"2", "levels"});
  act(desk, "bookmark.go 2");
  CHECK(desk.view.memory_axis == ui::AxisKind::kStep);
}

TEST_CASE("A bookmark of a stretch of time is of microseconds, whatever the positions of the axis",
          "[session]") {
  Desk desk;
  test::open_tutorial(desk, 50);
  act(desk, "graph.batch-size", {"4096"});
  test::settle(desk);
  act(desk, "view.tab", {"memory"});
  act(desk, "view.axis", {"time"});
  act(desk, "view.range", {"100", "500"});
  const ui::AxisRange seen = desk.view.clock;
  act(desk, "bookmark.keep", {"1"});
  CHECK(app::place_text(*desk.view.bookmarks[0]).starts_with("memory time 100"));
  act(desk, "view.fit");
  act(desk, "bookmark.go", {"1"});
  CHECK(desk.view.clock.first == Approx(seen.first));
  CHECK(desk.view.clock.span == Approx(seen.span));
}

TEST_CASE("Bookmarks are lines of the session file, which do not move what is seen", "[session]") {
  Desk desk;
  test::open_tutorial(desk, 50);
  act(desk, "view.range", {"10", "29"});
  act(desk, "select.op", {"fc1/Relu"});
  act(desk, "bookmark.keep", {"3"});
  act(desk, "select.clear");
  act(desk, "view.fit");
  CHECK(app::session_looks(desk) == "bookmark.put 3 \"levels 10 29\" fc1/Relu\n");
  Desk other;
  test::open_tutorial(other, 50);
  act(other, "bookmark.put", {"3", "levels 10 29", "fc1/Relu"});
  CHECK(other.view.bookmarks == desk.view.bookmarks);
  CHECK(other.view.axis == ui::AxisRange{});
  CHECK_FALSE(app::selected_op(other));
}

TEST_CASE("A place is text and back", "[session]") {
  for (const char* text : {"levels", "levels 10 20", "memory step 3 8.5", "memory level",
                           "scopes 1 2", "timeline 0 100"}) {
    const auto place = read_place(text);
    INFO(text);
    REQUIRE(place);
    CHECK(app::place_text(*place) == text);
  }
  for (const char* text : {"", "nowhere", "levels 1", "levels 1 2 3", "levels -1 2", "levels 2 0",
                           "levels x y", "memory day", "levels 1 nan"}) {
    INFO(text);
    CHECK_FALSE(read_place(text));
  }
}

}  // namespace tideline
