#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::run_action;
using app::Viewer;
using test::Desk;

const std::string kRoot = std::string(TIDELINE_SOURCE_DIR);
const std::string kMlp = kRoot + "/tests/data/graphs/mlp.meta";

std::string shown(const Viewer& viewer) {
  return viewer.graph().request().graph.path;
}

void open(Viewer& viewer, const std::string& path) {
  REQUIRE(run_action(viewer, "file.open", {path}));
  test::settle(viewer);
}

}  // namespace

TEST_CASE("A document comes back as it was looked at", "[session]") {
  Desk viewer;
  test::open_tutorial(viewer);
  REQUIRE(run_action(viewer, "select.op", {"fc1/Relu"}));
  REQUIRE(run_action(viewer, "view.range", {"10", "20"}));
  const ui::AxisRange range = viewer.view.axis;
  open(viewer, kMlp);
  CHECK(shown(viewer) == kMlp);
  CHECK_FALSE(app::selected_op(viewer));
  CHECK(viewer.view.axis == ui::AxisRange{});
  REQUIRE(run_action(viewer, "document.previous"));
  test::settle(viewer);
  CHECK(shown(viewer) == test::tutorial());
  CHECK(app::selected_op(viewer));
  CHECK(viewer.view.axis == range);
  REQUIRE(run_action(viewer, "document.next"));
  CHECK(shown(viewer) == kMlp);
  REQUIRE(run_action(viewer, "document.next"));
  CHECK(shown(viewer) == test::tutorial());
}

TEST_CASE("A file that is open is shown and not opened again", "[session]") {
  Desk viewer;
  test::open_tutorial(viewer, 50);
  open(viewer, kMlp);
  open(viewer, test::tutorial());
  CHECK(viewer.session.documents().size() == 2);
  CHECK(viewer.graph().snapshot()->has_plan());
}

TEST_CASE("A file that cannot be opened leaves the look at what was open", "[session]") {
  Desk viewer;
  test::open_tutorial(viewer);
  open(viewer, "/no/such/file.pb");
  CHECK(shown(viewer) == test::tutorial());
  REQUIRE(viewer.graph().snapshot());
  CHECK(viewer.session.documents().size() == 1);
}

TEST_CASE("Closing shows what was looked at before, and nothing after the last", "[session]") {
  Desk viewer;
  test::open_tutorial(viewer);
  open(viewer, kMlp);
  REQUIRE(run_action(viewer, "document.close"));
  CHECK(shown(viewer) == test::tutorial());
  CHECK_FALSE(run_action(viewer, "document.next"));
  REQUIRE(run_action(viewer, "file.close"));
  CHECK_FALSE(viewer.graph().snapshot());
  CHECK_FALSE(run_action(viewer, "document.close"));
  CHECK(app::make_ui_model(viewer).documents.empty());
}

TEST_CASE("A document that is not looked at can be closed by its number", "[session]") {
  Desk viewer;
  test::open_tutorial(viewer);
  open(viewer, kMlp);
  REQUIRE(run_action(viewer, "document.close", {"1"}));
  CHECK(shown(viewer) == kMlp);
  CHECK(viewer.session.documents().size() == 1);
}

TEST_CASE("What is closed unwritten is said, with the command that writes it", "[session]") {
  Desk viewer;
  test::open_tutorial(viewer);
  REQUIRE(run_action(viewer, "policy.mode", {"lms2"}));
  test::settle(viewer);
  REQUIRE(run_action(viewer, "document.close"));
  REQUIRE_FALSE(viewer.session.journal().messages().empty());
  const std::string& said = viewer.session.journal().messages().back().text;
  CHECK(said.starts_with(test::tutorial() + " was closed unwritten; this writes it: tideline "));
}

TEST_CASE("A graph of a log is opened beside the log", "[session]") {
  Desk viewer;
  REQUIRE(run_action(viewer, "document.open", {"log", kRoot + "/tests/data/logs/tf1_mlp"}));
  test::settle(viewer);
  REQUIRE(app::make_ui_model(viewer).log);
  CHECK_FALSE(run_action(viewer, "log.open-graph", {".", "nothing"}));
  REQUIRE(run_action(viewer, "log.open-graph", {".", "__run_graph__"}));
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
  CHECK(viewer.graph().snapshot()->graph->document().format == io::Format::kGraph);
  const ui::UiModel& model = app::make_ui_model(viewer);
  CHECK_FALSE(model.log);
  REQUIRE(model.documents.size() == 2);
  CHECK(model.documents[0].kind == "log");
  CHECK(model.documents[1].kind == "graph");
  CHECK(model.documents[1].is_shown);
}

TEST_CASE("Quitting asks when something is unwritten, whichever document is shown", "[session]") {
  Desk viewer;
  viewer.asks_before_quitting = true;
  test::open_tutorial(viewer);
  REQUIRE(run_action(viewer, "policy.mode", {"lms2"}));
  test::settle(viewer);
  open(viewer, kMlp);
  CHECK_FALSE(viewer.graph().is_unwritten());
  REQUIRE(run_action(viewer, "file.quit"));
  CHECK_FALSE(viewer.wants_quit);
  CHECK(viewer.view.popup == ui::Popup::kQuit);
  CHECK(app::make_ui_model(viewer).documents[0].is_unwritten);
  viewer.view.popup = ui::Popup::kNone;
  REQUIRE(run_action(viewer, "file.quit", {"now"}));
  CHECK(viewer.wants_quit);
}

TEST_CASE("Quitting with everything written asks nothing", "[session]") {
  Desk viewer;
  viewer.asks_before_quitting = true;
  test::open_tutorial(viewer);
  REQUIRE(run_action(viewer, "file.quit"));
  CHECK(viewer.wants_quit);
}

TEST_CASE("Documents of one name are told apart by their folders", "[session]") {
  Desk viewer;
  open(viewer, kRoot + "/tests/data/saved_models/keras/saved_model.pb");
  open(viewer, kRoot + "/tests/data/saved_models/train_step/saved_model.pb");
  const ui::UiModel& model = app::make_ui_model(viewer);
  REQUIRE(model.documents.size() == 2);
  CHECK(model.documents[0].title == "keras/saved_model.pb");
  CHECK(model.documents[1].title == "train_step/saved_model.pb");
}

}  // namespace tideline
