#include "app/actions/enter.h"

#include "app/actions/shown_boxes.h"
#include "app/actions/ui_model.h"
#include "render/view/scopes_loop.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::run_action;
using test::Desk;

const std::string kGraphs = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/";
constexpr const char* kOuter = "outer/while_context";
constexpr const char* kInner = "outer/inner/while_context";

void open(Desk& desk, const char* name) {
  app::open_graph(desk, {.graph = {.path = kGraphs + name}});
  test::settle(desk);
  REQUIRE(desk.graph().snapshot());
  REQUIRE(run_action(desk, "view.tab", {"scopes"}));
}

void run(Desk& desk, const char* id, const app::Words& words) {
  const auto answer = run_action(desk, id, words);
  INFO(id << ": " << (answer ? "" : answer.error().message));
  REQUIRE(answer);
  test::settle(desk);
}

std::string refusal(Desk& desk, const char* id, const app::Words& words) {
  const auto answer = run_action(desk, id, words);
  REQUIRE_FALSE(answer);
  return answer.error().message;
}

const std::string& function_of(const Desk& desk) {
  return desk.graph().request().graph.function;
}

std::uint32_t shown_ops(Desk& desk) {
  return app::shown_boxes(desk).boxes[0].op_count;
}

}  // namespace

TEST_CASE("A loop is entered by its frame or an op, and left outwards", "[session]") {
  Desk desk;
  open(desk, "while_nested.meta");
  const std::uint32_t all = shown_ops(desk);
  run(desk, "scope.loop", {kOuter});
  CHECK(desk.view.boxes.loop == kOuter);
  CHECK(shown_ops(desk) == 62);  // its 31 and the 31 of the inner one
  CHECK(desk.view.boxes.open == render::OpenBoxes{"outer"});
  run(desk, "scope.enter", {"outer/inner/Enter"});
  CHECK(desk.view.boxes.loop == kInner);
  CHECK(shown_ops(desk) == 31);
  CHECK(refusal(desk, "scope.enter", {"outer/inner/Enter"}).find("is in no loop") !=
        std::string::npos);
  run(desk, "scope.leave", {});
  CHECK(desk.view.boxes.loop == kOuter);
  run(desk, "scope.leave", {});
  CHECK(desk.view.boxes.loop.empty());
  CHECK(shown_ops(desk) == all);
  CHECK_FALSE(app::is_within(desk));
  CHECK_FALSE(run_action(desk, "scope.leave"));
  run(desk, "scope.enter", {"outer/inner/Enter"});
  run(desk, "scope.leave", {"all"});
  CHECK(desk.view.boxes.loop.empty());
  CHECK(refusal(desk, "scope.loop", {"gone"}).find("expected one of 'outer/while_context'") !=
        std::string::npos);
}

TEST_CASE("What was open comes back with the loop in which it was", "[session]") {
  Desk desk;
  open(desk, "while_nested.meta");
  run(desk, "scope.expand", {"outer"});
  run(desk, "scope.loop", {kInner});
  CHECK(desk.view.boxes.open == render::OpenBoxes{"outer", "outer/inner"});
  run(desk, "scope.collapse", {"*"});
  run(desk, "scope.loop", {});
  CHECK(desk.view.boxes.open == render::OpenBoxes{"outer"});
  run(desk, "scope.loop", {kInner});
  CHECK(desk.view.boxes.open.empty());
}

TEST_CASE("A scope is entered if there is one loop in it, and what has none says so", "[session]") {
  Desk desk;
  open(desk, "while_nested.meta");
  run(desk, "scope.enter", {"outer"});
  CHECK(desk.view.boxes.loop == kOuter);
  run(desk, "scope.leave", {});
  run(desk, "scope.pick", {"outer"});
  run(desk, "scope.enter", {});  // what is marked
  CHECK(desk.view.boxes.loop == kOuter);
  run(desk, "scope.leave", {});
  CHECK(refusal(desk, "scope.enter", {"save"}).find("holds no loop") != std::string::npos);
  CHECK(refusal(desk, "scope.enter", {"gone"}).find("there is no scope and no op 'gone'") !=
        std::string::npos);
  run(desk, "select.clear", {});
  CHECK(refusal(desk, "scope.enter", {}).find("nothing is marked") != std::string::npos);
}

TEST_CASE("Fitting an op that the loop does not have shows the whole graph", "[session]") {
  Desk desk;
  open(desk, "while_nested.meta");
  run(desk, "scope.loop", {kInner});
  run(desk, "select.op", {"save/RestoreV2"});
  run(desk, "view.fit-selection", {});
  CHECK(desk.view.boxes.loop.empty());
  run(desk, "scope.loop", {kInner});
  run(desk, "select.op", {"outer/inner/Enter"});
  run(desk, "view.fit-selection", {});
  CHECK(desk.view.boxes.loop == kInner);
}

TEST_CASE("The body of a function is a document, with the way back to where it was entered",
          "[session]") {
  Desk desk;
  open(desk, "tf2_controlflow.pb");
  run(desk, "graph.batch-size", {"7"});
  const auto functions = render::functions_to_enter(
      desk.graph().snapshot()->scene(), desk.graph().snapshot()->shown->graph().find("while"));
  REQUIRE(functions.size() == 2);
  CHECK(refusal(desk, "scope.enter", {"while"}).find("'while' calls several functions") !=
        std::string::npos);
  CHECK(refusal(desk, "scope.enter", {"while", "gone"}).find("a function that it calls: 'while_") !=
        std::string::npos);
  const app::DocumentId graph = desk.shown;
  run(desk, "scope.enter", {"while", "while_body_14487"});
  CHECK(function_of(desk) == "while_body_14487");
  CHECK(desk.graph().wish().batch_size == 7);
  CHECK(app::is_within(desk));
  const ui::UiModel& model = app::make_ui_model(desk);
  CHECK(model.function == "while_body_14487");
  REQUIRE(model.documents.size() == 2);
  CHECK(model.documents[0].title == "tf2_controlflow.pb");
  CHECK(model.documents[1].title == "tf2_controlflow.pb / while_body_14487");
  run(desk, "scope.leave", {});
  CHECK(desk.shown == graph);
  run(desk, "scope.enter", {"while", "while_body_14487"});
  CHECK(desk.session.documents().size() == 2);
  run(desk, "document.close", {"1"});
  run(desk, "scope.leave", {"all"});  // opened again
  CHECK(function_of(desk).empty());
  CHECK(desk.session.documents().size() == 2);
}

TEST_CASE("A function is opened with its file, and left to the graph of the file", "[session]") {
  Desk desk;
  run(desk, "file.open", {kGraphs + "tf2_controlflow.pb", "while_cond_14486"});
  REQUIRE(desk.graph().snapshot());
  CHECK(desk.graph().snapshot()->shown->graph().op_count() == 5 + 4 + 1);  // with its signature
  run(desk, "scope.leave", {});
  CHECK(function_of(desk).empty());
  CHECK(desk.graph().snapshot());
}

}  // namespace tideline
