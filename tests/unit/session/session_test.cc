#include "app/session/session.h"

#include "app/session/log_document.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using app::DocumentId;
using app::Session;
using app::Viewer;

const std::string kRoot = std::string(TIDELINE_SOURCE_DIR);
const std::string kMlp = kRoot + "/tests/data/graphs/mlp.meta";
const std::string kLog = kRoot + "/tests/data/logs/tf1_mlp";

DocumentId open(Session& session, const std::string& path, const char* kind = "graph") {
  return session.open(*app::find_document_kind(kind), {.graph = {.path = path}});
}

app::Wish with_threshold(const app::GraphDocument& graph, int threshold) {
  app::Wish wish = graph.wish();
  wish.policy.rewriter = "lms2";
  set_value(wish.policy, "swapout-threshold", threshold);
  set_value(wish.policy, "swapin-ahead", 3);
  set_value(wish.policy, "swapin-groupby", 2);
  return wish;
}

}  // namespace

TEST_CASE("A second file is opened beside the first, and a log beside both", "[session]") {
  Session session;
  const DocumentId first = open(session, test::tutorial());
  const DocumentId second = open(session, kMlp);
  const DocumentId log = open(session, kLog, "log");
  session.wait();
  REQUIRE(session.documents().size() == 3);
  CHECK(session.graph(first).snapshot()->graph->file->path() == test::tutorial());
  CHECK(session.graph(second).snapshot()->graph->file->path() == kMlp);
  CHECK_FALSE(session.graph(log).snapshot());
  CHECK(session.find(log)->document->is_open());
  CHECK(session.find(log)->kind->id == "log");
}

TEST_CASE("Each document has its own wish, undo and unwritten plan", "[session]") {
  Session session;
  auto& first = session.graph(open(session, test::tutorial()));
  auto& second = session.graph(open(session, kMlp));
  session.wait();
  first.change(with_threshold(first, 50));
  second.change(with_threshold(second, 5));
  second.change(with_threshold(second, 7));
  session.wait();
  CHECK(first.is_unwritten());
  CHECK(second.is_unwritten());
  CHECK(second.undo());
  CHECK(second.undo());
  session.wait();
  CHECK(first.is_unwritten());
  CHECK_FALSE(second.is_unwritten());
  CHECK(first.snapshot()->has_plan());
  CHECK_FALSE(second.snapshot()->has_plan());
}

TEST_CASE("A file that cannot be opened is a failure and no document", "[session]") {
  Session session;
  open(session, test::tutorial());
  open(session, "/no/such/file.pb");
  session.wait();  // each is opened on a thread of its own
  open(session, kMlp, "log");
  session.wait();
  session.poll();
  CHECK(session.documents().size() == 1);
  const auto failure = session.journal().take_failure();
  REQUIRE(failure);
  CHECK(failure->message.starts_with("/no/such/file.pb: "));
  CHECK(session.journal().messages().back().text.find("is no event log") != std::string::npos);
}

TEST_CASE("Closing a document stops its work and leaves the others", "[session]") {
  Session session;
  const DocumentId first = open(session, test::tutorial());
  const DocumentId second = open(session, kMlp);
  session.close(first);
  CHECK(session.find(first) == nullptr);
  session.wait();
  REQUIRE(session.documents().size() == 1);
  CHECK(session.graph(second).snapshot());
  CHECK(session.graph(first).snapshot() == nullptr);
}

TEST_CASE("Two lookers at one session look in their own ways and see the same plan", "[session]") {
  Session session;
  Viewer one(session), other(session);
  app::open_graph(one, {.graph = {.path = test::tutorial()}});
  test::settle(one);
  test::settle(other);  // who comes later sees what is open
  REQUIRE(other.graph().snapshot());
  one.view.axis = {10, 20};
  one.graph().change(with_threshold(one.graph(), 50));
  test::settle(other);
  CHECK(one.graph().snapshot() == other.graph().snapshot());
  CHECK(other.graph().snapshot()->has_plan());
  CHECK(other.view.axis == ui::AxisRange{});
  app::open_graph(other, {.graph = {.path = kMlp}});
  test::settle(one);
  test::settle(other);
  CHECK(one.graph().request().graph.path == test::tutorial());
  CHECK(other.graph().request().graph.path == kMlp);
}

TEST_CASE("A log says which graphs and traced steps it holds", "[session]") {
  Session session;
  const DocumentId id = open(session, kLog, "log");
  session.wait();
  const auto* log = dynamic_cast<const app::LogDocument*>(session.find(id)->document.get());
  REQUIRE(log != nullptr);
  REQUIRE(log->contents());
  REQUIRE(log->contents()->graphs.size() == 2);
  CHECK(log->contents()->graphs[0].run == ".");
  CHECK(log->contents()->graphs[1].bytes > 0);
  CHECK_FALSE(log->contents()->traces.empty());
}

}  // namespace tideline
