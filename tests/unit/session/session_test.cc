#include "app/session/session.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/output_file.h"
#include "core/rewrite/policy_parameters.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_values.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

using session::Session;
using session::Wish;
using test::TemporaryFolder;

const std::string kTutorial =
    std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";

Wish with_threshold(int threshold) {
  Wish wish;
  wish.policy.rewriter = "lms2";
  set_value(wish.policy, "swapout-threshold", threshold);
  set_value(wish.policy, "swapin-ahead", 3);
  set_value(wish.policy, "swapin-groupby", 2);
  return wish;
}

void open(Session& session, const std::string& path, Wish wish = {}) {
  session.open({.graph = {.path = path}}, std::move(wish));
  session.wait();
}

}  // namespace

TEST_CASE("A session opens a graph, plans, and undoes", "[session]") {
  Session session;
  CHECK_FALSE(session.snapshot());
  open(session, kTutorial);
  REQUIRE(session.snapshot());
  CHECK(session.snapshot()->scene().plan == nullptr);
  const std::uint64_t before = session.revision();
  session.change(with_threshold(50));
  CHECK(session.is_stale());
  session.wait();
  CHECK_FALSE(session.is_stale());
  CHECK(session.revision() != before);
  CHECK(session.is_unwritten());
  const auto swaps = session.snapshot()->plan().swaps.size();
  CHECK(swaps > 0);
  session.change(with_threshold(80));
  session.wait();
  CHECK(session.snapshot()->plan().swaps.size() < swaps);
  CHECK(session.undo_title() == "swapout-threshold 50 -> 80");
  CHECK(session.undo());
  session.wait();
  CHECK(session.snapshot()->plan().swaps.size() == swaps);
  CHECK(session.redo());
  CHECK(session.undo());
  CHECK(session.undo());
  CHECK_FALSE(session.undo());
  session.wait();
  CHECK_FALSE(session.snapshot()->has_plan());
}

TEST_CASE("Of many wishes only the newest is shown", "[session]") {
  Session session;
  open(session, kTutorial);
  for (int threshold = 90; threshold >= 20; --threshold) session.change(with_threshold(threshold));
  session.wait();
  CHECK(test::number_of(session.snapshot()->policy, "swapout-threshold") == 20);
}

TEST_CASE("A policy that cannot be fulfilled leaves the last snapshot and the wish", "[session]") {
  Session session;
  open(session, kTutorial, with_threshold(50));
  const auto good = session.snapshot();
  Wish wish = with_threshold(50);
  set_value(wish.policy, "excl-output-by-scopes", std::vector<std::string>{"nowhere"});
  session.change(wish);
  session.wait();
  CHECK(session.snapshot() == good);
  CHECK(session.is_stale());
  REQUIRE(session.policy_error());
  CHECK(session.policy_error()->message.find("nowhere") != std::string::npos);
  CHECK(session.wish() == wish);
  CHECK_FALSE(session.take_failure());
  session.undo();
  session.wait();
  CHECK_FALSE(session.policy_error());
}

TEST_CASE("A graph opens even when the policy it is opened with fails", "[session]") {
  Session session;
  Wish wish = with_threshold(50);
  set_value(wish.policy, "excl-output-by-types", std::vector<std::string>{"NoSuchOp"});
  open(session, kTutorial, wish);
  REQUIRE(session.snapshot());
  CHECK(session.policy_error());
  CHECK(session.wish() == wish);
}

TEST_CASE("Another batch size gives other sizes, and can be undone", "[session]") {
  Session session;
  open(session, kTutorial);
  const Bytes one = session.snapshot()->devices[0].original->before.timeline.device_peak;
  Wish wish;
  wish.batch_size = 100;
  session.change(wish);
  session.wait();
  CHECK(session.snapshot()->devices[0].original->before.timeline.device_peak > one);
  session.undo();
  session.wait();
  CHECK(session.snapshot()->devices[0].original->before.timeline.device_peak == one);
}

TEST_CASE("A given shape that fits nothing is an error of the wish", "[session]") {
  Session session;
  open(session, kTutorial);
  Wish wish;
  wish.shapes = {{"no_such_op", Shape::of({1})}};
  session.change(wish);
  session.wait();
  REQUIRE(session.policy_error());
  CHECK(session.policy_error()->code == Code::kNotFound);
}

TEST_CASE("A broken or missing file is a message, and what was open stays", "[session]") {
  const TemporaryFolder folder;
  const std::string broken = folder.file("broken.pb");
  REQUIRE(write_file(broken, "this is no graph\x01", true));
  Session session;
  open(session, kTutorial, with_threshold(50));
  const auto good = session.snapshot();
  for (const std::string& path : {broken, folder.file("missing.pb")}) {
    open(session, path);
    CHECK(session.snapshot() == good);
    REQUIRE_FALSE(session.messages().empty());
    CHECK(session.messages().back().kind == ui::MessageKind::kError);
    CHECK(session.messages().back().text.find(path) == 0);
    CHECK(session.take_failure());
  }
  CHECK(session.wish() == with_threshold(50));
}

TEST_CASE("A graph that vanished cannot be reloaded, and stays as it is", "[session]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("g.meta");
  std::filesystem::copy_file(kTutorial, path);
  Session session;
  open(session, path, with_threshold(50));
  std::filesystem::remove(path);
  session.reload();
  session.wait();
  REQUIRE(session.take_failure());
  REQUIRE(session.snapshot());
  session.change(with_threshold(30));
  session.wait();
  CHECK(test::number_of(session.snapshot()->policy, "swapout-threshold") == 30);
}

TEST_CASE("Reloading keeps the wish and the history", "[session]") {
  Session session;
  open(session, kTutorial);
  session.change(with_threshold(50));
  session.reload();
  session.wait();
  CHECK(test::number_of(session.snapshot()->policy, "swapout-threshold") == 50);
  CHECK(session.undo());
}

TEST_CASE("The newest file that is opened wins", "[session]") {
  Session session;
  session.open({.graph = {.path = kTutorial}});
  session.open(
      {.graph = {.path = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta"}});
  session.wait();
  CHECK(session.snapshot()->graph->file->path().ends_with("mlp.meta"));
}

TEST_CASE("Closing while work goes on leaves nothing open", "[session]") {
  Session session;
  open(session, kTutorial);
  session.change(with_threshold(50));
  session.close();
  session.wait();
  CHECK_FALSE(session.snapshot());
  CHECK(session.wish() == Wish{});
  CHECK_FALSE(session.write({session::WriteKind::kGraph, "x.pb"}));
}

TEST_CASE("Reasons are found when they are asked for, and go with their snapshot", "[session]") {
  Session session;
  open(session, kTutorial, with_threshold(50));
  session.want_reasons();
  CHECK_FALSE(session.reasons());
  session.wait();
  REQUIRE(session.reasons());
  const Graph& graph = session.snapshot()->graph->graph();
  CHECK_FALSE(session.reasons()->why(*graph.find_tensor("fc1/Relu:0")).empty());
  session.change(with_threshold(30));
  session.wait();
  CHECK_FALSE(session.reasons());
}

}  // namespace tideline
