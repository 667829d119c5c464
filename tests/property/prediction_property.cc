// The house's invariant: simulating the rewritten graph afresh gives what the plan predicted.
#include <catch2/catch.hpp>
#include <optional>
#include <random>

#include "core/memory/step_time.h"
#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/predict.h"
#include "tests/property/random_step.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"
#include "tests/support/own_aheads.h"
#include "tests/support/random_graph.h"
#include "tests/support/same_step.h"

namespace tideline {
namespace {

struct Case {
  io::Document document;
  LmsPlan plan;
  StepGraph original;
  StepGraph rewritten;
};

StepGraph flatten(const Graph& graph, std::int64_t batch_size) {
  const auto tensors =
      TensorTable::build(graph, {.batch_size = batch_size, .model = SizeModel::kFaithful});
  REQUIRE(tensors);
  auto step = build_step_graph(graph, *tensors, {}, {});
  REQUIRE(step);
  return *std::move(step);
}

Case make_case(std::uint32_t seed) {
  std::mt19937 random(seed);
  test::RandomGraphOptions shape;
  shape.ops = 2 + static_cast<int>(random() % 120);
  shape.max_inputs = 1 + static_cast<int>(random() % 4);
  shape.control_share = random() % 2 == 0 ? 0.0 : 0.2;
  shape.shuffled = random() % 3 == 0;
  shape.real_types = true;
  Lms2Options options;
  options.swapout_threshold = 1 + static_cast<int>(random() % 10);
  options.swapin_ahead = 1 + static_cast<int>(random() % 6);
  options.swapin_groupby = static_cast<int>(random() % 5);
  options.sync_mode = static_cast<int>(random() % 4);
  options.batch_size = 1 + static_cast<std::int64_t>(random() % 9);
  if (random() % 5 == 0) options.serialization = {"1:6"};
  io::Document document = test::read_graph(test::random_graph(seed, shape));
  options.ahead_tensors = test::random_aheads(random, document.graph);
  Progress silent;
  auto plan = plan_lms2(document.graph, {}, options, silent);
  REQUIRE(plan);
  const auto rewritten = apply(document.graph, *plan);
  REQUIRE(rewritten);
  StepGraph before = flatten(document.graph, *options.batch_size);
  StepGraph after = flatten(*rewritten, *options.batch_size);
  return {std::move(document), *std::move(plan), std::move(before), std::move(after)};
}

// The same for a plan of LMS v1; nothing when the graph has no backward phase.
std::optional<Case> make_lms1_case(std::uint32_t seed) {
  std::mt19937 random(seed);
  io::Document document = test::read_graph(test::RandomStep(seed).text());
  Lms1Options options = test::random_options(random);
  options.batch_size = 1 + static_cast<std::int64_t>(random() % 9);
  if (random() % 4 == 0) {
    const OpId op{static_cast<std::uint32_t>(random() % document.graph.op_count())};
    if (document.graph.type(op) != "NoOp")
      options.swap_tensors.emplace_back(document.graph.name(op));
  }
  options.ahead_tensors = test::random_aheads(random, document.graph);
  Progress silent;
  auto plan = plan_lms1(document.graph, {}, options, silent);
  if (!plan) return std::nullopt;
  const auto rewritten = apply(document.graph, *plan);
  REQUIRE(rewritten);
  StepGraph before = flatten(document.graph, *options.batch_size);
  StepGraph after = flatten(*rewritten, *options.batch_size);
  return Case{std::move(document), *std::move(plan), std::move(before), std::move(after)};
}

// Errors of a predictor, planted into the plan that it sees. False: this plan has no place for it.
bool plant(LmsPlan& plan, int which) {
  if (plan.swaps.empty()) return false;
  switch (which) {
    case 0: plan.edit.control.clear(); return true;      // swap-ins come too early
    case 1: plan.edit.rerouted.pop_back(); return true;  // a consumer still reads the tensor itself
    case 2:
      plan.edit.added[0].device = "/gpu:0";
      return true;  // a copy that never leaves the device
    default: return false;
  }
}

}  // namespace

TEST_CASE("random graphs: what a plan predicts is what the rewritten graph needs") {
  std::int64_t swaps = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    const Case made = make_case(seed);
    const FaithfulStep predicted =
        test::predict_step(made.original, made.document.graph, made.plan, std::nullopt);
    const FaithfulStep afresh = simulate_step(made.rewritten);
    REQUIRE(test::difference(predicted.timeline, afresh.timeline).empty());
    DeviceProfile roofline = *built_in_profile("pcie3");
    roofline.flops_per_s = {{DataType::kFloat, 1e12}};
    roofline.launch_ns = 100;
    for (const DeviceProfile& profile : {*built_in_profile("pcie3"), roofline}) {
      const CostModel costs(profile);
      const StepTime time = estimate_time(made.rewritten, afresh, costs);
      CHECK(time.added_ns >= 0);
      const StepGraph edit =
          edited(made.original, made.document.graph, made.plan.edit, std::nullopt);
      const StepTime expected = estimate_time(edit, predicted, costs);
      CHECK(time.compute_ns == expected.compute_ns);
      CHECK(time.added_ns == expected.added_ns);
    }
    swaps += afresh.timeline.swap_ins;
  }
  CHECK(swaps > 3000);
}

TEST_CASE("random steps: what a plan of LMS v1 predicts is what the rewritten graph needs") {
  std::int64_t swaps = 0;
  int planted = 0;
  int found = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    INFO("seed " << seed);
    std::optional<Case> made = make_lms1_case(seed);
    if (!made) continue;
    const FaithfulStep predicted =
        test::predict_step(made->original, made->document.graph, made->plan, std::nullopt);
    const FaithfulStep afresh = simulate_step(made->rewritten);
    REQUIRE(test::difference(predicted.timeline, afresh.timeline).empty());
    REQUIRE(test::unavailable(made->rewritten, afresh) == "");
    swaps += afresh.timeline.swap_ins;
    if (!plant(made->plan, static_cast<int>(seed % 3))) continue;
    ++planted;
    const FaithfulStep wrong =
        test::predict_step(made->original, made->document.graph, made->plan, std::nullopt);
    if (!test::difference(wrong.timeline, afresh.timeline).empty()) ++found;
  }
  CHECK(swaps > 2000);
  CHECK(found > planted / 4);
}

TEST_CASE("random graphs: an error planted into the prediction is found") {
  for (int which = 0; which < 3; ++which) {
    INFO("error " << which);
    int tried = 0;
    int found = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      Case made = make_case(seed);
      if (!plant(made.plan, which)) continue;
      ++tried;
      const FaithfulStep predicted =
          test::predict_step(made.original, made.document.graph, made.plan, std::nullopt);
      const FaithfulStep afresh = simulate_step(made.rewritten);
      if (!test::difference(predicted.timeline, afresh.timeline).empty()) ++found;
    }
    CHECK(tried > 20);
    CHECK(found > tried / 3);
  }
}

TEST_CASE("random graphs: swaps never make a tensor unavailable to a reader") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const Case made = make_case(seed);
    const FaithfulStep before = simulate_step(made.original);
    const FaithfulStep after = simulate_step(made.rewritten);
    CHECK(test::unavailable(made.original, before) == "");
    CHECK(test::unavailable(made.rewritten, after) == "");
    // Whatever ran before still runs.
    std::vector<bool> runs(made.rewritten.ops.size());
    for (const OpId op : after.timeline.schedule) runs[op.index()] = true;
    for (const OpId op : before.timeline.schedule) CHECK(runs[op.index()]);
  }
}

}  // namespace tideline
