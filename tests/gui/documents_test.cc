#include <catch2/catch.hpp>

#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;

void add_documents(Fixture& fixture) {
  fixture.model.documents = {{"a.meta", "/data/a.meta", "graph", true, true, false},
                             {"b.pb", "/data/b.pb", "graph", false, false, false},
                             {"run", "/logs/run", "log", false, false, true}};
}

}  // namespace

TEST_CASE("One document has no tabs, several have one each", "[documents]") {
  const auto fixture = tutorial();
  fixture->model.documents = {{"a.meta", "/data/a.meta", "graph", true, false, false}};
  Driver driver(fixture->model);
  driver.frames(2);
  CHECK_FALSE(driver.has("documents/a.meta"));
  const float top = driver.rect("policy/mode").y0;
  add_documents(*fixture);
  driver.frames(2);
  CHECK(driver.has("documents/a.meta"));
  CHECK(driver.has("documents/run/x"));
  CHECK(driver.rect("policy/mode").y0 > top);
}

TEST_CASE("A click on a tab shows its document, a click on its x closes it", "[documents]") {
  const auto fixture = tutorial();
  add_documents(*fixture);
  Driver driver(fixture->model);
  driver.frames(2);
  driver.take();
  driver.click("documents/b.pb");
  CHECK(driver.take() == Intents{{"document.show", {"2"}}});
  driver.click("documents/run/x");
  CHECK(driver.take() == Intents{{"document.close", {"3"}}});
}

TEST_CASE("Documents of one title are two tabs", "[documents]") {
  const auto fixture = empty_fixture();
  fixture->model.documents = {{"a.pb", "/x/a.pb", "graph", true, false, false},
                              {"a.pb", "/y/a.pb", "graph", false, false, false}};
  Driver driver(fixture->model);
  driver.frames(2);
  driver.take();
  const render::Point second = {driver.rect("documents/a.pb").x1 + 60,
                                middle(driver.rect("documents/a.pb")).y};
  driver.click(second);
  CHECK(driver.take() == Intents{{"document.show", {"2"}}});
}

TEST_CASE("A log lists its graphs, and a click opens one", "[documents]") {
  const auto fixture = empty_fixture();
  auto log = std::make_shared<ui::LogContents>();
  log->path = "/logs/run";
  log->graphs = {{".", "__run_graph__", "graph_def", 1024}, {"eval", "step:f", "graph_def", 10}};
  log->traces = {{".", "step_7", 7}};
  fixture->model.log = log;
  Driver driver(fixture->model);
  driver.frames(2);
  driver.click("centre/Graphs");
  driver.frames(2);
  driver.take();
  driver.click("log/eval step:f");
  CHECK(driver.take() == Intents{{"log.open-graph", {"eval", "step:f"}}});
}

TEST_CASE("Quitting lists what is unwritten, and asks", "[documents]") {
  const auto fixture = tutorial();
  add_documents(*fixture);
  Driver driver(fixture->model);
  driver.view.popup = ui::Popup::kQuit;
  driver.frames(3);
  driver.click("quit/Cancel");
  CHECK(driver.take().empty());
  CHECK(driver.view.popup == ui::Popup::kNone);
  driver.view.popup = ui::Popup::kQuit;
  driver.frames(3);
  driver.click("quit/Quit");
  CHECK(driver.take() == Intents{{"file.quit", {"now"}}});
}

}  // namespace tideline::gui
