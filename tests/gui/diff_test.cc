#include <catch2/catch.hpp>

#include "app/engine/side_peaks.h"
#include "app/gui/window_picture.h"
#include "core/rewrite/rewrite_plan.h"
#include "render/model/diff_look.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"
#include "tests/gui/support/golden_picture.h"

namespace tideline::gui {
namespace {

using ui::Intents;

// The tutorial's graph against what its policy makes of it.
app::ShownChangesPtr add_changes(Fixture& fixture) {
  const auto& source = fixture.snapshot->graph->file->source;
  auto edited = apply(source->document.graph, fixture.snapshot->plan());
  REQUIRE(edited);
  Progress progress;
  auto shown =
      app::show_changes({"original", source, source, app::memory_of_original(*fixture.snapshot)},
                        {"current", app::with_graph(*source, *std::move(edited)), source,
                         app::memory_of_planned(*fixture.snapshot)},
                        progress);
  REQUIRE(shown);
  fixture.model.diff.changes = {*shown, &(*shown)->changes};
  fixture.model.diff.before = "original";
  fixture.model.diff.after = "current";
  return *shown;
}

}  // namespace

TEST_CASE("A click opens a scope of the diff, and another one shows how an op differs", "[diff]") {
  const auto fixture = tutorial();
  const auto shown = add_changes(*fixture);
  Driver driver(fixture->model, 1600, 1000);
  driver.click("centre/Diff");
  driver.frames(3);
  REQUIRE(driver.view.tab == ui::Tab::kDiff);
  const std::string scope(shown->changes.scopes[1].path);
  REQUIRE(driver.has("diff/row " + scope));
  driver.take();
  driver.click("diff/row " + scope);
  CHECK(driver.take() == Intents{{"diff.toggle", {scope}}});
  for (const auto& one : shown->changes.scopes) driver.view.diff.open.emplace_back(one.path);
  std::sort(driver.view.diff.open.begin(), driver.view.diff.open.end());
  driver.frames(60);
  const std::string op = shown->changes.ops.front().name;
  REQUIRE(driver.has("diff/row " + op));
  driver.click("diff/row " + op);
  CHECK(driver.take() == Intents{{"diff.pick", {op}}});
  driver.move_to(middle(driver.rect("diff/row " + op)));
  driver.frames(2);
  CHECK(driver.view.tooltip.find(op) == 0);
  CHECK(driver.has("centre/Close all"));
}

TEST_CASE("Sides, a file, remembered plans and overlay are chosen beside the tabs", "[diff]") {
  const auto fixture = tutorial();
  const auto shown = add_changes(*fixture);
  Driver driver(fixture->model, 1600, 1000);
  driver.view.tab = ui::Tab::kDiff;
  driver.frames(3);
  driver.take();
  driver.click("centre/before");
  driver.click("centre/before/B");
  driver.click("centre/File...");
  driver.click("centre/Remember A");
  driver.click("centre/overlay");
  CHECK(driver.take() == Intents{{"diff.of", {"B", "current"}},
                                 {"diff.file-dialog", {}},
                                 {"diff.remember", {"A"}},
                                 {"diff.overlay", {"on"}}});
}

TEST_CASE("The graph of another tab is a side of the diff", "[diff]") {
  const auto fixture = tutorial();
  const auto shown = add_changes(*fixture);
  fixture->model.documents = {{"here.meta", "/here.meta", "graph", true, false, false},
                              {"other.meta", "/some/other.meta", "graph", false, false, false},
                              {"run", "/some/run", "log", false, false, false}};
  Driver driver(fixture->model, 1600, 1000);
  driver.view.tab = ui::Tab::kDiff;
  driver.frames(3);
  driver.take();
  driver.click("centre/before");
  driver.frames(2);
  CHECK_FALSE(driver.has("centre/before/run"));
  CHECK_FALSE(driver.has("centre/before/here.meta"));
  driver.click("centre/before/other.meta");
  CHECK(driver.take() == Intents{{"diff.of", {"/some/other.meta", "current"}}});
}

TEST_CASE("The wheel scrolls the lists of the diff and zooms its levels", "[diff]") {
  const auto fixture = tutorial();
  const auto shown = add_changes(*fixture);
  Driver driver(fixture->model, 1000, 760);
  driver.view.tab = ui::Tab::kDiff;
  for (const auto& one : shown->changes.scopes) driver.view.diff.open.emplace_back(one.path);
  std::sort(driver.view.diff.open.begin(), driver.view.diff.open.end());
  driver.frames(3);
  const render::Rect area = driver.rect("diff/canvas");
  driver.wheel({area.x0 + 40, area.y1 - 20}, -2);
  driver.frames(2);
  CHECK(driver.view.diff.scroll_rows > 0);
  CHECK(driver.view.axis.span == 0);
  ui::ViewCache cache;
  const auto layout = render::layout_diff(ui::diff_look(fixture->model, driver.view, cache, area));
  driver.wheel(middle(layout.levels), 2);
  driver.frames(2);
  CHECK(driver.view.axis.span > 0);
  driver.view.axis = {};
  REQUIRE(layout.memory.height() > 0);
  driver.move_to(middle(layout.memory));
  driver.frames(2);
  CHECK(driver.view.tooltip.find("current: ") != std::string::npos);
  driver.wheel(middle(layout.memory), 2);
  driver.frames(2);
  CHECK(driver.view.axis.span > 0);
}

TEST_CASE("The diff view looks as it did", "[diff][golden]") {
  const auto fixture = tutorial();
  const auto shown = add_changes(*fixture);
  ui::ViewState view;
  view.tab = ui::Tab::kDiff;
  view.diff.open = {"adam_optimizer", "adam_optimizer/gradients", "lms"};
  view.diff.op = shown->changes.ops.front().name;
  auto lines = app::changed_text(*shown, view.diff.op);
  REQUIRE(lines);
  fixture->model.diff.text =
      std::make_shared<const render::ChangedText>(render::ChangedText{view.diff.op, *lines});
  const auto drawn = draw_window_frames(fixture->model, view, 1400, 900);
  REQUIRE(drawn);
  check_golden("diff", *drawn);
}

}  // namespace tideline::gui
