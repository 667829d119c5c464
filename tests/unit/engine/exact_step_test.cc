#include "app/engine/exact_step.h"

#include <catch2/catch.hpp>

#include "core/rewrite/policy_parameters.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_values.h"

namespace tideline::app {
namespace {

constexpr std::string_view kAsWritten = R"(
  x = Placeholder() f32[1024]
  kept = Tanh(x) f32[1024]
  a = Relu(x) f32[1024]
  b = MatMul(a, a) f32[1024]
  loss = MatMul(b, kept) f32[1024]
)";
constexpr std::string_view kOptimized = R"(
  x = Placeholder() f32[1024]
  a = Relu(x) f32[1024]
  loss = MatMul(a, a) f32[1024]
)";

ReadGraphPtr graph_of(std::string_view text) {
  return std::make_shared<const ReadGraph>(events::GraphChoice{.path = "g.pb"},
                                           test::read_graph(text));
}

// What stands for TensorFlow: answers `answer`, or what it was asked about, and counts.
struct Fake {
  ReadGraphPtr answer = {};
  std::vector<runtime::OptimizeRequest> asked = {};
  std::vector<std::uint32_t> op_counts = {};

  AskOptimizer ask() {
    return [this](const ReadGraphPtr& graph, const runtime::OptimizeRequest& request,
                  Progress&) -> Result<OptimizedGraph> {
      asked.push_back(request);
      op_counts.push_back(graph->document.graph.op_count());
      return OptimizedGraph{answer ? answer : graph, "2.15.1"};
    };
  }
};

std::shared_ptr<const OpenedGraph> sample(
    std::int64_t batch_size, const std::string& name = "/assets/samples/tutorial_mnist.meta") {
  Progress silent;
  auto graph = open({.graph = {.path = std::string(TIDELINE_SOURCE_DIR) + name},
                     .batch_size = batch_size,
                     .run = {AsRun::kModelled, Executor::kGpu}},
                    silent);
  REQUIRE(graph);
  return *graph;
}

Policy swaps() {
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", 20);
  set_value(policy, "swapin-ahead", 3);
  set_value(policy, "swapin-groupby", 2);
  return policy;
}

}  // namespace

TEST_CASE("an exact step is that of the graph that the optimizer gives") {
  Fake tensorflow{graph_of(kOptimized)};
  const SizedGraph written{graph_of(kAsWritten)};
  ExactRequest request;
  request.fetches = {"loss"};
  Progress silent;
  const auto found = exact_step(written, request, tensorflow.ask(), silent);
  REQUIRE(found);
  CHECK(found->tensorflow == "2.15.1");
  CHECK(tensorflow.asked.at(0).fetches == std::vector<std::string>{"loss"});
  const SizedGraph given{tensorflow.answer};
  const auto same = exact_step(given, request, tensorflow.ask(), silent);
  REQUIRE(same);
  REQUIRE(found->peaks.size() == 1);
  CHECK(found->peaks.front().device_peak == same->peaks.front().device_peak);
  CHECK(found->peaks.front().device_peak > 0);
  tensorflow.answer = nullptr;
  const auto unoptimized = exact_step(written, request, tensorflow.ask(), silent);
  REQUIRE(unoptimized);
  CHECK(unoptimized->peaks.front().device_peak != found->peaks.front().device_peak);
}

TEST_CASE("a traced step is no exact one, and a cycle has none") {
  Fake tensorflow;
  SizedGraph written{graph_of(kAsWritten)};
  ExactRequest request;
  request.fetches = {"loss"};
  Progress silent;
  written.cycle.emplace();
  CHECK(exact_step(written, request, tensorflow.ask(), silent).error().code == Code::kUnsupported);
  written.measured = std::make_shared<const MeasuredRun>();
  CHECK(exact_step(written, request, tensorflow.ask(), silent).error().code == Code::kUnsupported);
  CHECK(tensorflow.asked.empty());
}

TEST_CASE("of a plan the step of the graph that it gives is asked for") {
  Fake tensorflow;
  const auto graph = sample(100);
  Progress silent;
  const auto plain = make_snapshot(graph, {}, *built_in_profile("pcie3"), silent);
  REQUIRE(plain);
  const auto without = exact_peaks(**plain, tensorflow.ask(), silent);
  REQUIRE(without);
  CHECK(without->before.size() == 1);
  CHECK(without->after.empty());
  CHECK(without->problem.empty());
  const auto planned = make_snapshot(graph, swaps(), *built_in_profile("pcie3"), silent);
  REQUIRE(planned);
  const auto with = exact_peaks(**planned, tensorflow.ask(), silent);
  REQUIRE(with);
  REQUIRE(with->after.size() == 1);
  CHECK(with->before.front().device_peak == without->before.front().device_peak);
  CHECK(with->after.front().device_peak < with->before.front().device_peak);
  const std::uint32_t ops = graph->graph().op_count();
  const auto added = static_cast<std::uint32_t>((*planned)->plan().edit.added.size());
  CHECK(tensorflow.op_counts == std::vector<std::uint32_t>{ops, ops, ops + added});
}

TEST_CASE("a plan that makes several runs of a step leaves the first alone known") {
  Fake tensorflow;
  Policy policy;
  policy.rewriter = "sections";
  set_value(policy, "levels", std::vector<std::string>{"4"});
  set_value(policy, "loss", std::string("loss/Mean"));
  Progress silent;
  const auto snapshot = make_snapshot(sample(8, "/tests/data/graphs/mlp.meta"), policy,
                                      *built_in_profile("pcie3"), silent);
  REQUIRE(snapshot);
  REQUIRE((*snapshot)->plan().cycle((*snapshot)->graph->graph()));
  const auto found = exact_peaks(**snapshot, tensorflow.ask(), silent);
  REQUIRE(found);
  CHECK(found->before.size() == 1);
  CHECK(found->after.empty());
  CHECK(found->problem == "the plan makes several runs of a step, which are modelled alone");
  CHECK(tensorflow.asked.size() == 1);
}

TEST_CASE("the same graph is asked about once, whatever its sizes") {
  Fake tensorflow;
  const AskOptimizer ask = remembering(tensorflow.ask());
  Progress silent;
  Bytes last = 0;
  for (const std::int64_t batch_size : {100, 200, 300}) {
    const auto snapshot =
        make_snapshot(sample(batch_size), swaps(), *built_in_profile("pcie3"), silent);
    REQUIRE(snapshot);
    const auto found = exact_peaks(**snapshot, ask, silent);
    REQUIRE(found);
    CHECK(found->before.front().device_peak > last);
    last = found->before.front().device_peak;
  }
  CHECK(tensorflow.asked.size() == 2);  // the graph, and what the plan gives
  const auto on_v100 = make_snapshot(sample(100), {}, *built_in_profile("v100"), silent);
  REQUIRE(exact_peaks(**on_v100, ask, silent));
  CHECK(tensorflow.asked.size() == 3);  // for another GPU
  const ReadGraphPtr graph = graph_of(kAsWritten);
  for (const char* fetch : {"x", "kept", "a", "b", "loss", "loss", "a"}) {
    runtime::OptimizeRequest request;
    request.fetches = {fetch};
    REQUIRE(ask(graph, request, silent));
  }
  CHECK(tensorflow.asked.size() == 8);  // of the last four none again
  runtime::OptimizeRequest forgotten;
  forgotten.fetches = {"x"};
  REQUIRE(ask(graph, forgotten, silent));
  CHECK(tensorflow.asked.size() == 9);
}

TEST_CASE("what failed is asked again") {
  int asked = 0;
  const AskOptimizer ask = remembering([&](const ReadGraphPtr&, const runtime::OptimizeRequest&,
                                           Progress&) -> Result<OptimizedGraph> {
    ++asked;
    return fail(Code::kIo, "it ended");
  });
  Progress silent;
  CHECK_FALSE(ask(graph_of(kAsWritten), {}, silent));
  CHECK_FALSE(ask(graph_of(kAsWritten), {}, silent));
  CHECK(asked == 2);
}

}  // namespace tideline::app
