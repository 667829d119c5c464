#include "app/engine/measure.h"

#include <map>

#include "app/actions/commands.h"
#include "app/engine/replanner.h"
#include "app/engine/step_log.h"
#include "core/base/output_file.h"
#include "core/memory/measured/trace_lanes.h"
#include "render/view/palette.h"
#include "render/view/scope_paint.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/support/trace_text.h"
#include "tests/unit/events/made_events.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::run_action;
using app::Viewer;
using test::Desk;

const std::string kCases = std::string(TIDELINE_SOURCE_DIR) + "/tests/golden/cases/";
const std::string kTrace = kCases + "measured.trace.pbtxt";

void open_traced_graph(Viewer& viewer) {
  app::open_graph(viewer, {.graph = {.path = kCases + "measured.pbtxt"}, .fetches = {"c"}});
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
  REQUIRE_FALSE(viewer.graph().snapshot()->graph->measured);
}

void open_trace(Viewer& viewer, const std::string& path) {
  REQUIRE(run_action(viewer, "measure.open", {path}));
  test::settle(viewer);
}

const MeasuredRun* measured(const Viewer& viewer) {
  return viewer.graph().snapshot()->scene().measured;
}

}  // namespace

TEST_CASE("a traced step is shown, counts, outlives another policy and reloading, and goes") {
  Desk viewer;
  CHECK_FALSE(run_action(viewer, "measure.open", {kTrace}));
  open_traced_graph(viewer);
  CHECK_FALSE(run_action(viewer, "view.axis", {"measured"}));
  open_trace(viewer, kTrace);
  CHECK_FALSE(viewer.session.journal().take_failure());
  REQUIRE(measured(viewer) != nullptr);
  CHECK(measured(viewer)->levels.size() == 3);
  CHECK(viewer.graph().snapshot()->time().measured_ops == 3);
  CHECK(viewer.graph().undo_title().empty());
  CHECK(run_action(viewer, "view.axis", {"measured"}));
  app::Wish wish = viewer.graph().wish();
  wish.batch_size = 7;
  viewer.graph().change(wish);
  test::settle(viewer);
  REQUIRE(measured(viewer) != nullptr);
  CHECK(measured(viewer)->levels.size() == 3);
  viewer.graph().reload();
  test::settle(viewer);
  REQUIRE(measured(viewer) != nullptr);
  CHECK(run_action(viewer, "measure.close"));
  test::settle(viewer);
  CHECK(measured(viewer) == nullptr);
  CHECK(viewer.graph().snapshot()->time().measured_ops == 0);
  CHECK_FALSE(run_action(viewer, "measure.close"));
}

TEST_CASE("a traced step that cannot be used is an error, and what was there stays") {
  Desk viewer;
  open_traced_graph(viewer);
  open_trace(viewer, kTrace);
  const auto before = viewer.graph().snapshot();
  for (const std::string& path :
       {kCases + "missing", kCases + "measured.pbtxt", test::tutorial()}) {
    open_trace(viewer, path);
    const auto failure = viewer.session.journal().take_failure();
    REQUIRE(failure);
    CHECK(failure->message.starts_with(path));
    CHECK(viewer.graph().snapshot() == before);
  }
  test::open_tutorial(viewer);
  open_trace(viewer, kTrace);
  CHECK(viewer.session.journal().take_failure()->message.find("names an op of the graph") !=
        std::string::npos);
  CHECK(measured(viewer) == nullptr);
}

TEST_CASE("another traced step of the log can be chosen, and the choice is remembered") {
  const std::string log = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/logs/tf1_mlp";
  Desk viewer;
  app::open_graph(viewer, {.graph = {.path = log}});
  test::settle(viewer);
  REQUIRE(measured(viewer) != nullptr);
  const std::vector<TracedStep> choices = {
      {".", "step000", 0}, {".", "step012", 12}, {".", "step024", 24}};
  CHECK(measured(viewer)->choices == choices);
  CHECK(measured(viewer)->chosen == choices[2]);
  const std::int64_t last_ns = measured(viewer)->step().executions.front().start_ns;
  REQUIRE(run_action(viewer, "measure.open", {log, ".", "step012"}));
  test::settle(viewer);
  CHECK(measured(viewer)->chosen == choices[1]);
  CHECK(measured(viewer)->choices == choices);
  CHECK(measured(viewer)->step().executions.front().start_ns < last_ns);
  CHECK(viewer.graph().trace().tag == "step012");
  viewer.graph().reload();
  test::settle(viewer);
  CHECK(measured(viewer)->chosen == choices[1]);
  open_traced_graph(viewer);
  open_trace(viewer, kTrace);
  CHECK(measured(viewer)->choices.empty());
}

TEST_CASE("of two steps with one tag the later is offered, and no simulated one") {
  const test::TemporaryFolder folder;
  const std::string trace = test::encode_trace("op = NoOp() | 1+1");
  const auto event = [&](int step, const char* tag) {
    return test::event(step, events::event::kTaggedRunMetadata, test::tagged(tag, trace));
  };
  REQUIRE(write_file(
      folder.file("events.out.tfevents.1"),
      test::log_of(test::event(1, events::event::kGraphDef, test::small_graph("op")), event(1, "a"),
                   event(2, "b"), event(3, "a"), event(4, app::kSimulatedTag)),
      false));
  Desk viewer;
  app::open_graph(viewer, {.graph = {.path = folder.file("")}});
  test::settle(viewer);
  open_trace(viewer, folder.file(""));
  REQUIRE(run_action(viewer, "measure.open", {folder.file(""), ".", "b"}));
  test::settle(viewer);
  REQUIRE(measured(viewer) != nullptr);
  std::vector<std::string> tags;
  for (const TracedStep& step : measured(viewer)->choices) tags.push_back(step.tag);
  CHECK(tags == std::vector<std::string>{"b", "a"});
}

TEST_CASE("a graph gets the traced step of its own run, however alike the names of two runs are") {
  const test::TemporaryFolder folder;
  // The words for a person about the second run begin with those about the first.
  for (const char* run : {"a", "a', x"}) {
    const std::string place = folder.file(run);
    std::filesystem::create_directory(place);
    const std::string trace =
        test::encode_trace(fmt::format("op = NoOp() | {}+1", std::string_view(run) == "a" ? 1 : 2));
    REQUIRE(write_file(
        place + "/events.out.tfevents.1",
        test::log_of(test::event(1, events::event::kGraphDef, test::small_graph("op")),
                     test::event(1, events::event::kTaggedRunMetadata, test::tagged("t", trace))),
        false));
  }
  Desk viewer;
  app::open_graph(viewer, {.graph = {.path = folder.file(""), .run = "x$"}});
  test::settle(viewer);
  const auto failure = viewer.session.journal().take_failure();
  INFO((failure ? failure->message : std::string()));
  REQUIRE(viewer.graph().snapshot());
  REQUIRE(measured(viewer) != nullptr);
  CHECK(measured(viewer)->step().executions.front().start_ns == 2000);
}

TEST_CASE("a simulated step in the log of a graph is not shown as a measured one by itself") {
  const test::TemporaryFolder folder;
  const std::string trace = test::encode_trace("op = NoOp() | 1+1");
  REQUIRE(write_file(folder.file("events.out.tfevents.1"),
                     test::log_of(test::event(1, events::event::kGraphDef, test::small_graph("op")),
                                  test::event(1, events::event::kTaggedRunMetadata,
                                              test::tagged(app::kSimulatedTag, trace))),
                     false));
  Desk viewer;
  app::open_graph(viewer, {.graph = {.path = folder.file("")}});
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
  CHECK(measured(viewer) == nullptr);
  open_trace(viewer, folder.file(""));
  CHECK(measured(viewer) != nullptr);
}

TEST_CASE("what is dropped on a window is a traced step of the open graph, or is opened") {
  Desk viewer;
  open_traced_graph(viewer);
  const auto file = viewer.graph().snapshot()->graph->file;
  REQUIRE(run_action(viewer, "file.drop", {kTrace}));
  test::settle(viewer);
  REQUIRE(measured(viewer) != nullptr);
  CHECK(viewer.graph().snapshot()->graph->file == file);
  REQUIRE(run_action(viewer, "file.drop", {test::tutorial()}));
  test::settle(viewer);
  CHECK(viewer.graph().snapshot()->graph->file->path() == test::tutorial());
  CHECK(measured(viewer) == nullptr);
}

TEST_CASE("a traced step has one length: on the card, on the timeline and for a search") {
  for (const char* log : {"tf1_mlp", "tf1_mnist_deep", "tf1_lstm"}) {
    INFO(log);
    Desk viewer;
    const std::string path = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/logs/" + log;
    app::open_graph(viewer, {.graph = {.path = path}});
    test::settle(viewer);
    REQUIRE(viewer.graph().snapshot());
    REQUIRE(measured(viewer) != nullptr);
    const app::OpenedGraph& graph = *viewer.graph().snapshot()->graph;
    const std::int64_t span = lay_out_trace(graph.graph(), measured(viewer)->trace).span_ns;
    const app::SizedGraph sized = graph.sized();
    Policy policy;
    policy.rewriter = "lms2";
    policy.budget = MemoryBudget{.device = Bytes{1} << 30U};
    Progress silent;
    const auto found = app::Replanner(sized).tune(policy, silent);
    REQUIRE(found);
    CHECK(found->prediction.step_ns == span);
    CHECK(viewer.graph().snapshot()->time().step_ns() == span);
    CHECK(viewer.graph().snapshot()->time().rest_ns > 0);  // summaries, and pauses
    CHECK(viewer.graph().snapshot()->time().guessed_ops == 0);
    // A plan adds its waiting to it.
    REQUIRE(run_action(viewer, "policy.mode", {"lms2"}));
    test::settle(viewer);
    const TimeReport& timing = viewer.graph().snapshot()->timing();
    CHECK(timing.before_ns == span);
    CHECK(timing.after.step_ns() >= span);
    CHECK(timing.after.step_ns() <= span + timing.after.added_ns);
  }
}

TEST_CASE("a box of which nothing ran in the traced step is faded") {
  const test::TemporaryFolder folder;
  const std::string graph = folder.file("graph.pbtxt");
  const std::string text = test::content_of(kCases + "measured.pbtxt") +
                           "node { name: \"side/d\" op: \"Relu\" input: \"a\" attr { key: \"T\" "
                           "value { type: DT_FLOAT } } }\n";
  REQUIRE(write_file(graph, text, false));
  Desk viewer;
  app::open_graph(viewer, {.graph = {.path = graph}, .fetches = {"c"}});
  test::settle(viewer);
  REQUIRE(viewer.graph().snapshot());
  const auto painted = [&] {
    const render::Scene scene = viewer.graph().snapshot()->scene();
    const render::ScopeBoxes boxes = render::find_scope_boxes(scene);
    const render::ScopeLayout layout = render::layout_scopes(scene, boxes, {});
    const render::ScopePaint paint = render::paint_scopes(
        scene, boxes, layout, render::palette(render::ThemeKind::kDark), render::ColorBy::kScope);
    std::map<std::string, bool> idle;
    for (std::size_t i = 1; i < paint.is_idle.size(); ++i) {
      idle[std::string(boxes.label(scene, boxes.boxes[layout.placed[i].box]))] = paint.is_idle[i];
    }
    return idle;
  };
  CHECK(painted().empty());  // without a traced step nothing is
  open_trace(viewer, kTrace);
  REQUIRE(measured(viewer) != nullptr);
  const auto idle = painted();
  REQUIRE(idle.contains("side"));
  CHECK(idle.at("side"));
  CHECK_FALSE(idle.at("a"));
  CHECK_FALSE(idle.at("c"));
}

}  // namespace tideline
