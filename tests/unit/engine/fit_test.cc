#include "app/engine/fit.h"

#include <catch2/catch.hpp>

#include "app/engine/device_result.h"
#include "app/engine/fit_json.h"
#include "app/engine/read_graph.h"
#include "tests/support/test_data.h"

namespace tideline {
namespace {

app::SizedGraph sized(const std::string& name, std::optional<std::int64_t> batch = {}) {
  Progress silent;
  const auto read = app::read_graph({.path = test::graph_file(name).string()}, silent);
  REQUIRE(read);
  app::SizedGraph graph{*read};
  graph.batch_size = batch;
  return graph;
}

app::FitRequest request_for(Bytes memory) {
  app::FitRequest request;
  request.device = "card";
  request.policy.budget = MemoryBudget{memory};
  return request;
}

app::Fit fit_of(const app::SizedGraph& graph, const app::FitRequest& request) {
  Progress silent;
  auto fit = app::fit(graph, request, silent);
  INFO((fit ? "" : fit.error().message));
  REQUIRE(fit);
  return *std::move(fit);
}

// As `simulate` says it.
Bytes simulated_peak(app::SizedGraph graph, std::int64_t batch) {
  graph.batch_size = batch;
  const auto tensors = graph.tensors(SizeModel::kFaithful);
  REQUIRE(tensors);
  const StepOptions step = step_options({}, {}, &graph.source->functions);
  const auto result = app::simulate_device(graph, *tensors, step, graph.costs({}), nullptr, {});
  REQUIRE(result);
  return result->peak_before();
}

constexpr Bytes kMiB = 1 << 20;

}  // namespace

TEST_CASE("the largest batch fits and the next one does not, as a simulation says") {
  const app::SizedGraph graph = sized("tutorial_mnist.meta", 100);
  for (const Bytes memory : {60 * kMiB, 150 * kMiB, 700 * kMiB}) {
    const app::Fit fit = fit_of(graph, request_for(memory));
    REQUIRE(fit.largest.batch);
    CHECK(simulated_peak(graph, *fit.largest.batch) == fit.largest.peak);
    CHECK(fit.largest.peak <= memory);
    CHECK(simulated_peak(graph, *fit.largest.batch + 1) == fit.largest.next_peak);
    CHECK(fit.largest.next_peak > memory);
    CHECK(fit.step.fits == (fit.step.peak <= memory));
    CHECK(fit.step.peak == simulated_peak(graph, 100));
  }
}

TEST_CASE("kinds and layers add up to the peak") {
  for (const char* name : {"tutorial_mnist.meta", "transformer.meta", "resnet50.meta"}) {
    app::FitRequest request = request_for(1 << 30);
    request.wants_ways = false;
    const app::FitStep step = fit_of(sized(name, 8), request).step;
    Bytes kinds = 0, layers = 0;
    for (const app::FitKind& kind : step.kinds) kinds += kind.bytes;
    for (const PeakLayer& layer : step.layers) layers += layer.bytes;
    CHECK(kinds == step.peak);
    CHECK(layers == step.peak);
    CHECK(step.layers.size() <= 10);
  }
}

TEST_CASE("a step that does not fit comes with ways, the fastest that fits first") {
  const app::Fit fit = fit_of(sized("tutorial_mnist.meta", 512), request_for(160 * kMiB));
  REQUIRE_FALSE(fit.step.fits);
  CHECK(fit.any_fits());
  REQUIRE(fit.ways.size() >= 4);
  bool all_fit = true;
  double last = 0;
  for (const app::FitWay& way : fit.ways) {
    INFO(way.title);
    CHECK((all_fit || !way.fits));
    if (way.fits) CHECK(way.peak <= fit.budget);
    if (way.fits != all_fit) last = 0;
    all_fit = way.fits;
    CHECK(way.example_ns() >= last);
    last = way.example_ns();
    const bool is_rewritten = find_rewriter(way.id) != nullptr;
    CHECK(is_rewritten == (way.command.find("tideline rewrite " + way.id) == 0));
  }
}

TEST_CASE("what no way can do is told with its reason") {
  const app::Fit fit = fit_of(sized("tutorial_mnist.meta", 512), request_for(kMiB));
  CHECK_FALSE(fit.any_fits());
  CHECK(fit.largest.batch == 0);
  CHECK_FALSE(fit.missing.empty());
  for (const app::MissingWay& way : fit.missing) CHECK_FALSE(way.reason.empty());
}

TEST_CASE("a batch that nobody gives is assumed, and said to be") {
  const app::SizedGraph graph = sized("tutorial_mnist.meta");
  const app::Fit fit = fit_of(graph, request_for(Bytes{1} << 30));
  CHECK(fit.step.batch == 1);
  CHECK(fit.step.is_batch_assumed);
  CHECK_FALSE(
      fit_of(sized("tutorial_mnist.meta", 1), request_for(Bytes{1} << 30)).step.is_batch_assumed);
}

TEST_CASE("ways are left out when time is up, and cancelling ends the whole") {
  app::FitRequest request = request_for(160 * kMiB);
  request.is_late = [] { return true; };
  const app::Fit fit = fit_of(sized("tutorial_mnist.meta", 512), request);
  CHECK(fit.missing.size() >= 3);
  class Cancels final : public Progress {
   public:
    bool report(std::string_view, std::int64_t, std::int64_t) override { return ++reports < 4; }
    int reports = 0;
  } cancels;
  const auto cancelled = app::fit(sized("tutorial_mnist.meta", 512), request_for(kMiB), cancels);
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().code == Code::kCancelled);
}

TEST_CASE("the curve has the points that a simulation gives, the step as it is first") {
  app::FitRequest request = request_for(160 * kMiB);
  request.wants_curve = true;
  const app::SizedGraph graph = sized("tutorial_mnist.meta", 512);
  const app::Fit fit = fit_of(graph, request);
  REQUIRE(fit.curve.lines.size() >= 2);
  CHECK(fit.curve.lines.size() <= 4);
  CHECK(fit.curve.lines[0].title == "as it is");
  std::int64_t last = 0;
  for (const render::FitPoint& point : fit.curve.lines[0].points) {
    CHECK(point.batch > last);
    last = point.batch;
    CHECK(point.device_peak == simulated_peak(graph, point.batch));
    CHECK(point.fits == (point.device_peak <= fit.budget));
  }
}

TEST_CASE("a batch that does not split into equal parts has no towers") {
  const app::Fit fit = fit_of(sized("tutorial_mnist.meta", 1002), request_for(120 * kMiB));
  std::string towers;
  for (const app::FitWay& way : fit.ways) {
    if (way.devices > 1) towers += way.title + ";";
  }
  CHECK(towers == "towers on 2 devices;");
  std::string reasons;
  for (const app::MissingWay& way : fit.missing) reasons += way.title + ": " + way.reason + "\n";
  CHECK_THAT(reasons, Catch::Contains("towers on 4 devices: a batch of 1002 does not split into 4 "
                                      "equal parts"));
}

TEST_CASE("times of ways stand beside those of the traced step") {
  Progress silent;
  const std::string log = (test::kData / "logs/tf1_mnist_deep").string();
  const auto graph = app::read_with_trace({.path = log}, log, silent);
  REQUIRE(graph);
  const app::Fit fit = fit_of(*graph, request_for(45 * kMiB));
  CHECK(fit.step.batch == 50);
  REQUIRE(fit.step.measured_peak);
  CHECK(fit.step.most >= *fit.step.measured_peak);
  int ways = 0;
  for (const app::FitWay& way : fit.ways) {
    INFO(way.title << " " << way.factor);
    ways += way.devices > 1 ? 2 : 1;
    CHECK(way.factor > 0.9 / static_cast<double>(way.devices));
    CHECK(way.factor < 20);
  }
  CHECK(ways > 2);
}

TEST_CASE("a device that no op is on does not fit for free") {
  app::FitRequest request = request_for(Bytes{1} << 30);
  request.policy.values.set(*find_rewriter("lms2")->find("gpu-device"), std::string("/gpu:7"));
  request.policy.rewriter = "lms2";
  Progress silent;
  const auto fit = app::fit(sized("tutorial_mnist.meta", 8), request, silent);
  REQUIRE_FALSE(fit);
  CHECK(fit.error().code == Code::kNotFound);
  CHECK_THAT(fit.error().message, Catch::Contains("no op is on '/gpu:7'; the graph names"));
}

TEST_CASE("without a budget there is nothing that could fit") {
  Progress silent;
  const auto fit = app::fit(sized("tutorial_mnist.meta", 8), {}, silent);
  REQUIRE_FALSE(fit);
  CHECK(fit.error().code == Code::kInvalidArgument);
}

}  // namespace tideline
