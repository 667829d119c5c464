#include "app/session/measure.h"

#include "app/session/commands.h"
#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"
#include "tests/unit/events/made_events.h"
#include "tests/unit/session/app_fixture.h"

namespace tideline {
namespace {

using session::App;
using session::run_action;

const std::string kCases = std::string(TIDELINE_SOURCE_DIR) + "/tests/golden/cases/";
const std::string kTrace = kCases + "measured.trace.pbtxt";

void open_traced_graph(App& app) {
  app.session.open({.graph = {.path = kCases + "measured.pbtxt"}, .fetches = {"c"}});
  test::settle(app);
  REQUIRE(app.session.snapshot());
  REQUIRE_FALSE(app.session.snapshot()->graph->measured);
}

void open_trace(App& app, const std::string& path) {
  REQUIRE(run_action(app, "measure.open", {path}));
  test::settle(app);
}

const MeasuredRun* measured(const App& app) {
  return app.session.snapshot()->scene().measured;
}

}  // namespace

TEST_CASE("a traced step is shown, counts, outlives another policy and reloading, and goes") {
  App app;
  CHECK_FALSE(run_action(app, "measure.open", {kTrace}));
  open_traced_graph(app);
  CHECK_FALSE(run_action(app, "view.axis", {"measured"}));
  open_trace(app, kTrace);
  CHECK_FALSE(app.session.take_failure());
  REQUIRE(measured(app) != nullptr);
  CHECK(measured(app)->levels.size() == 3);
  CHECK(app.session.snapshot()->time.measured_ops == 3);
  CHECK(app.session.undo_title().empty());
  CHECK(run_action(app, "view.axis", {"measured"}));
  session::Wish wish = app.session.wish();
  wish.batch_size = 7;
  app.session.change(wish);
  test::settle(app);
  REQUIRE(measured(app) != nullptr);
  CHECK(measured(app)->levels.size() == 3);
  app.session.reload();
  test::settle(app);
  REQUIRE(measured(app) != nullptr);
  CHECK(run_action(app, "measure.close"));
  test::settle(app);
  CHECK(measured(app) == nullptr);
  CHECK(app.session.snapshot()->time.measured_ops == 0);
  CHECK_FALSE(run_action(app, "measure.close"));
}

TEST_CASE("a traced step that cannot be used is an error, and what was there stays") {
  App app;
  open_traced_graph(app);
  open_trace(app, kTrace);
  const auto before = app.session.snapshot();
  for (const std::string& path :
       {kCases + "missing", kCases + "measured.pbtxt", test::tutorial()}) {
    open_trace(app, path);
    const auto failure = app.session.take_failure();
    REQUIRE(failure);
    CHECK(failure->message.starts_with(path));
    CHECK(app.session.snapshot() == before);
  }
  test::open_tutorial(app);
  open_trace(app, kTrace);
  CHECK(app.session.take_failure()->message.find("names an op of the graph") != std::string::npos);
  CHECK(measured(app) == nullptr);
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
  App app;
  app.session.open({.graph = {.path = folder.file(""), .run = "x$"}});
  test::settle(app);
  const auto failure = app.session.take_failure();
  INFO((failure ? failure->message : std::string()));
  REQUIRE(app.session.snapshot());
  REQUIRE(measured(app) != nullptr);
  CHECK(measured(app)->step().executions.front().start_ns == 2000);
}

TEST_CASE("what is dropped on a window is a traced step of the open graph, or is opened") {
  App app;
  open_traced_graph(app);
  const auto file = app.session.snapshot()->graph->file;
  REQUIRE(run_action(app, "file.drop", {kTrace}));
  test::settle(app);
  REQUIRE(measured(app) != nullptr);
  CHECK(app.session.snapshot()->graph->file == file);
  REQUIRE(run_action(app, "file.drop", {test::tutorial()}));
  test::settle(app);
  CHECK(app.session.snapshot()->graph->file->path() == test::tutorial());
  CHECK(measured(app) == nullptr);
}

}  // namespace tideline
