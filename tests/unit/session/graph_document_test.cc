#include "app/session/graph_document.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/output_file.h"
#include "core/rewrite/policy_parameters.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_values.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

using app::GraphDocument;
using app::Journal;
using app::Wish;
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

void open(GraphDocument& document, const std::string& path, Wish wish = {}) {
  document.open({.graph = {.path = path}}, std::move(wish));
  document.wait();
}

}  // namespace

TEST_CASE("A document opens a graph, plans, and undoes", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  CHECK_FALSE(document.snapshot());
  open(document, kTutorial);
  REQUIRE(document.snapshot());
  CHECK(document.snapshot()->scene().plan == nullptr);
  const std::uint64_t before = journal.revision();
  document.change(with_threshold(50));
  CHECK(document.is_stale());
  document.wait();
  CHECK_FALSE(document.is_stale());
  CHECK(journal.revision() != before);
  CHECK(document.is_unwritten());
  const auto swaps = document.snapshot()->plan().swaps().size();
  CHECK(swaps > 0);
  document.change(with_threshold(80));
  document.wait();
  CHECK(document.snapshot()->plan().swaps().size() < swaps);
  CHECK(document.undo_title() == "swapout-threshold 50 -> 80");
  CHECK(document.undo());
  document.wait();
  CHECK(document.snapshot()->plan().swaps().size() == swaps);
  CHECK(document.redo());
  CHECK(document.undo());
  CHECK(document.undo());
  CHECK_FALSE(document.undo());
  document.wait();
  CHECK_FALSE(document.snapshot()->has_plan());
}

TEST_CASE("Of many wishes only the newest is shown", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial);
  for (int threshold = 90; threshold >= 20; --threshold) document.change(with_threshold(threshold));
  document.wait();
  CHECK(test::number_of(document.snapshot()->policy, "swapout-threshold") == 20);
}

TEST_CASE("A policy that cannot be fulfilled leaves the last snapshot and the wish", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial, with_threshold(50));
  const auto good = document.snapshot();
  Wish wish = with_threshold(50);
  set_value(wish.policy, "excl-output-by-scopes", std::vector<std::string>{"nowhere"});
  document.change(wish);
  document.wait();
  CHECK(document.snapshot() == good);
  CHECK(document.is_stale());
  REQUIRE(document.policy_error());
  CHECK(document.policy_error()->message.find("nowhere") != std::string::npos);
  CHECK(document.wish() == wish);
  CHECK_FALSE(journal.take_failure());
  document.undo();
  document.wait();
  CHECK_FALSE(document.policy_error());
}

TEST_CASE("Starting values give way to settings that help, in one step of undo", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  Wish wish;
  wish.batch_size = 32;
  open(document, test::graph_file("resource_vars.meta").string(), wish);
  CHECK(app::choose_rewriter(wish.policy, "lms2", 100));
  const Wish started = wish;
  document.choose(wish);
  CHECK(document.wish() == started);
  document.wait();
  CHECK_FALSE(document.is_stale());
  CHECK_FALSE(document.wish() == started);
  const auto& device = document.snapshot()->devices.front();
  CHECK(device.peak() < device.peak_before());
  CHECK(document.snapshot()->policy == document.wish().policy);
  CHECK(journal.messages().back().text.find("proposed: threshold") != std::string::npos);
  CHECK(document.undo());
  CHECK(document.wish().policy.is_off());
  CHECK_FALSE(document.undo());
}

TEST_CASE("A wish that comes before the proposal is kept", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  Wish wish;
  wish.batch_size = 32;
  open(document, test::graph_file("resource_vars.meta").string(), wish);
  app::choose_rewriter(wish.policy, "lms2", 100);
  document.choose(wish);
  const Wish by_hand = with_threshold(60);
  document.change(by_hand);
  document.wait();
  CHECK(document.wish() == by_hand);
  document.undo();  // the starting values, which are not chosen again
  document.wait();
  CHECK(document.wish() == wish);
}

TEST_CASE("What was tried is there where nothing of it fits", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  Wish wish;
  wish.batch_size = 32;
  open(document, test::graph_file("resource_vars.meta").string(), wish);
  CHECK_FALSE(document.tried());
  wish.policy.rewriter = "lms2";
  wish.policy.budget = MemoryBudget{.device = 1 << 20};
  document.change(wish);
  document.wait();
  REQUIRE(document.policy_error());
  CHECK(document.policy_error()->code == Code::kOverBudget);
  const auto tried = document.tried();
  REQUIRE(tried);
  CHECK_FALSE(tried->found.found);
  for (const SearchTrial& trial : tried->found.trials) CHECK_FALSE(trial.fits);
  // One of them by hand: what it lacks is said by its plan.
  wish.policy = tried->taken(tried->found.trials.size() - 1);
  document.change(wish);
  document.wait();
  REQUIRE_FALSE(document.policy_error());
  CHECK(document.tried() == tried);
  // Of another policy nothing was tried.
  wish.policy.budget->device = 2 << 20;
  set_value(wish.policy, "excl-output-by-scopes", std::vector<std::string>{"nowhere"});
  document.change(wish);
  document.wait();
  CHECK(document.policy_error());
  CHECK_FALSE(document.tried());
}

TEST_CASE("After a policy that fails the plan before it is not written", "[session]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("out.meta");
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial, with_threshold(50));
  Wish wish = with_threshold(50);
  set_value(wish.policy, "excl-output-by-scopes", std::vector<std::string>{"nowhere"});
  document.change(wish);
  document.wait();
  CHECK_FALSE(document.has_plan());
  const Status refused = document.write({app::WriteKind::kGraph, path});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("nowhere") != std::string::npos);
  document.wait();
  CHECK_FALSE(std::filesystem::exists(path));
  document.revert_to_snapshot();
  document.wait();
  CHECK(document.wish() == with_threshold(50));
  CHECK(document.has_plan());
  CHECK(document.write({app::WriteKind::kGraph, path}));
  document.wait();
  CHECK(std::filesystem::exists(path));
  CHECK(document.undo());
  CHECK(document.wish() == wish);
}

TEST_CASE("What is written while a plan is being made is the new plan, or nothing", "[session]") {
  const TemporaryFolder folder;
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial, with_threshold(50));
  document.change(with_threshold(85));
  REQUIRE(document.is_stale());
  CHECK(document.write({app::WriteKind::kPlan, folder.file("plan.json")}));
  document.wait();
  CHECK(test::content_of(folder.file("plan.json")).find("\"swapout_threshold\": 85") !=
        std::string::npos);
  Wish wish = with_threshold(85);
  set_value(wish.policy, "excl-output-by-scopes", std::vector<std::string>{"nowhere"});
  document.change(wish);
  CHECK(document.write({app::WriteKind::kGraph, folder.file("out.meta")}));
  document.wait();
  CHECK_FALSE(std::filesystem::exists(folder.file("out.meta")));
  const auto failure = journal.take_failure();
  REQUIRE(failure);
  CHECK(failure->message.find("is not written") != std::string::npos);
}

TEST_CASE("A graph opens even when the policy it is opened with fails", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  Wish wish = with_threshold(50);
  set_value(wish.policy, "excl-output-by-types", std::vector<std::string>{"NoSuchOp"});
  open(document, kTutorial, wish);
  REQUIRE(document.snapshot());
  CHECK(document.policy_error());
  CHECK(document.wish() == wish);
}

TEST_CASE("Another batch size gives other sizes, and can be undone", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial);
  const Bytes one = document.snapshot()->devices[0].original->before.timeline.device_peak;
  Wish wish;
  wish.batch_size = 100;
  document.change(wish);
  document.wait();
  CHECK(document.snapshot()->devices[0].original->before.timeline.device_peak > one);
  document.undo();
  document.wait();
  CHECK(document.snapshot()->devices[0].original->before.timeline.device_peak == one);
}

TEST_CASE("A given shape that fits nothing is an error of the wish", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial);
  Wish wish;
  wish.shapes = {{"no_such_op", Shape::of({1})}};
  document.change(wish);
  document.wait();
  REQUIRE(document.policy_error());
  CHECK(document.policy_error()->code == Code::kNotFound);
}

TEST_CASE("A broken or missing file is a message, and what was open stays", "[session]") {
  const TemporaryFolder folder;
  const std::string broken = folder.file("broken.pb");
  REQUIRE(write_file(broken, "this is no graph\x01", true));
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial, with_threshold(50));
  const auto good = document.snapshot();
  for (const std::string& path : {broken, folder.file("missing.pb")}) {
    open(document, path);
    CHECK(document.snapshot() == good);
    REQUIRE_FALSE(journal.messages().empty());
    CHECK(journal.messages().back().kind == ui::MessageKind::kError);
    CHECK(journal.messages().back().text.find(path) == 0);
    CHECK(journal.take_failure());
  }
  CHECK(document.wish() == with_threshold(50));
}

TEST_CASE("A graph that vanished cannot be reloaded, and stays as it is", "[session]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("g.meta");
  std::filesystem::copy_file(kTutorial, path);
  Journal journal;
  GraphDocument document({journal});
  open(document, path, with_threshold(50));
  std::filesystem::remove(path);
  document.reload();
  document.wait();
  REQUIRE(journal.take_failure());
  REQUIRE(document.snapshot());
  document.change(with_threshold(30));
  document.wait();
  CHECK(test::number_of(document.snapshot()->policy, "swapout-threshold") == 30);
}

TEST_CASE("Reloading keeps the wish and the history", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial);
  document.change(with_threshold(50));
  document.reload();
  document.wait();
  CHECK(test::number_of(document.snapshot()->policy, "swapout-threshold") == 50);
  CHECK(document.undo());
}

TEST_CASE("The newest file that is opened wins", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  document.open({.graph = {.path = kTutorial}});
  document.open(
      {.graph = {.path = std::string(TIDELINE_SOURCE_DIR) + "/tests/data/graphs/mlp.meta"}});
  document.wait();
  CHECK(document.snapshot()->graph->file->path().ends_with("mlp.meta"));
}

TEST_CASE("Closing while work goes on leaves nothing open", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial);
  document.change(with_threshold(50));
  document.close();
  document.wait();
  CHECK_FALSE(document.snapshot());
  CHECK(document.wish() == Wish{});
  CHECK_FALSE(document.write({app::WriteKind::kGraph, "x.pb"}));
}

TEST_CASE("Reasons are found when they are asked for, and go with their snapshot", "[session]") {
  Journal journal;
  GraphDocument document({journal});
  open(document, kTutorial, with_threshold(50));
  document.want_reasons();
  CHECK_FALSE(document.reasons());
  document.wait();
  REQUIRE(document.reasons());
  const Graph& graph = document.snapshot()->graph->graph();
  CHECK_FALSE(
      document.reasons()->explained().plan.report->rule(*graph.find_tensor("fc1/Relu:0")).empty());
  document.change(with_threshold(30));
  document.wait();
  CHECK_FALSE(document.reasons());
}

}  // namespace tideline
