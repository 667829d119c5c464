// That a document asks TensorFlow beside its plans, which stay modelled.
#include <atomic>
#include <catch2/catch.hpp>

#include "app/session/graph_document.h"
#include "tests/support/policy_values.h"

namespace tideline {
namespace {

using app::GraphDocument;
using app::Journal;
using app::Wish;

const std::string kTutorial =
    std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta";

Wish exact(std::int64_t batch_size, int threshold = 0) {
  Wish wish;
  wish.batch_size = batch_size;
  wish.run = {AsRun::kExact, Executor::kGpu};
  if (threshold == 0) return wish;
  wish.policy.rewriter = "lms2";
  set_value(wish.policy, "swapout-threshold", threshold);
  set_value(wish.policy, "swapin-ahead", 3);
  set_value(wish.policy, "swapin-groupby", 2);
  return wish;
}

// A TensorFlow that gives back what it is asked about, or fails.
struct Fake {
  std::atomic<int> asked = 0;
  std::atomic<bool> fails = false;
  std::atomic<bool> hangs = false;

  app::AskOptimizer ask() {
    return [this](const app::ReadGraphPtr& graph, const runtime::OptimizeRequest&,
                  Progress& progress) -> Result<app::OptimizedGraph> {
      ++asked;
      while (hangs) {
        if (!progress.report("", 0, 0)) return cancelled();
      }
      if (fails) return fail(Code::kNotFound, "no TensorFlow found");
      return app::OptimizedGraph{graph, "2.15.1"};
    };
  }
};

void open(GraphDocument& document, Wish wish) {
  document.open({.graph = {.path = kTutorial}}, std::move(wish));
  document.wait();
  REQUIRE(document.snapshot());
}

Bytes exact_before(const GraphDocument& document) {
  REQUIRE(document.exact());
  REQUIRE(document.exact()->before.size() == 1);
  return document.exact()->before.front().device_peak;
}

}  // namespace

TEST_CASE("A document asks TensorFlow once about a graph, whatever its batch size", "[session]") {
  Journal journal;
  Fake tensorflow;
  GraphDocument document({journal, {}, {}, tensorflow.ask()});
  open(document, exact(100));
  const Bytes peak = exact_before(document);
  CHECK(document.exact()->tensorflow == "2.15.1");
  CHECK(document.exact()->after.empty());
  // What is shown stays modelled, so that a number has one meaning.
  CHECK(document.snapshot()->devices.front().original->graph.run.as_run == AsRun::kModelled);
  document.change(exact(200));
  CHECK(document.is_stale());
  document.wait();
  CHECK(exact_before(document) > peak);
  CHECK(tensorflow.asked == 1);
  document.change(exact(200, 20));
  document.wait();
  REQUIRE(document.exact()->after.size() == 1);
  CHECK(document.exact()->after.front().device_peak < exact_before(document));
  CHECK(tensorflow.asked == 2);  // what the plan gives
  CHECK(document.undo());
  document.wait();
  CHECK(document.exact()->after.empty());
  CHECK(tensorflow.asked == 2);
  Wish modelled = exact(200);
  modelled.run.as_run = AsRun::kModelled;
  document.change(modelled);
  document.wait();
  CHECK_FALSE(document.exact());
  document.ask_exactly();
  CHECK_FALSE(document.is_busy());
}

TEST_CASE("Without TensorFlow the model stays, and that is said once", "[session]") {
  Journal journal;
  Fake tensorflow;
  tensorflow.fails = true;
  GraphDocument document({journal, {}, {}, tensorflow.ask()});
  open(document, exact(100));
  REQUIRE(document.exact());
  CHECK(document.exact()->before.empty());
  CHECK(document.exact()->problem == "no TensorFlow found");
  CHECK_FALSE(document.exact()->is_asking());
  CHECK(document.snapshot()->devices.front().peak() > 0);
  CHECK_FALSE(journal.take_failure());  // the modelled answer stays
  CHECK(journal.messages().back().text == "the step is not known exactly: no TensorFlow found");
  document.change(exact(200, 20));
  document.wait();
  CHECK(document.exact()->problem == "no TensorFlow found");
  CHECK_FALSE(journal.take_failure());
  CHECK(journal.messages().size() == 1);
  tensorflow.fails = false;
  document.ask_exactly();
  CHECK(document.exact()->is_asking());
  document.wait();
  CHECK(exact_before(document) > 0);
  CHECK(document.exact()->problem.empty());
}

TEST_CASE("A question to TensorFlow is cancelled, and gives way to a plan", "[session]") {
  Journal journal;
  Fake tensorflow;
  tensorflow.hangs = true;
  GraphDocument document({journal, {}, {}, tensorflow.ask()});
  document.open({.graph = {.path = kTutorial}}, exact(100));
  while (tensorflow.asked == 0) document.poll();
  REQUIRE(document.exact());
  CHECK(document.exact()->is_asking());
  CHECK_FALSE(document.is_working());
  CHECK(document.job()->title == "Asking TensorFlow");
  document.change(exact(100, 20));
  while (document.snapshot()->policy.is_off()) document.poll();
  CHECK(document.exact()->is_asking());
  while (tensorflow.asked == 1) document.poll();
  document.cancel();
  document.wait();
  CHECK(document.exact()->problem == "interrupted");
  CHECK(journal.take_failure()->code == Code::kCancelled);
}

TEST_CASE("A wish without a plan leaves what is known of the last one", "[session]") {
  Journal journal;
  Fake tensorflow;
  GraphDocument document({journal, {}, {}, tensorflow.ask()});
  tensorflow.hangs = true;
  document.open({.graph = {.path = kTutorial}}, exact(100, 20));
  while (tensorflow.asked == 0) document.poll();
  Wish wrong = exact(100, 20);
  set_value(wrong.policy, "excl-output-by-scopes", std::vector<std::string>{"nowhere"});
  document.change(wrong);  // ends the question, which is asked again
  tensorflow.hangs = false;
  document.wait();
  REQUIRE(document.policy_error());
  CHECK(document.exact()->after.size() == 1);
  document.close();
  CHECK_FALSE(document.exact());
}

}  // namespace tideline
