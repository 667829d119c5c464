// LMS v1 on random training graphs: against its rules once more, and against what must never be.
#include <catch2/catch.hpp>
#include <random>

#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/plan/diff.h"
#include "core/rewrite/plan/plan_json.h"
#include "tests/property/random_step.h"
#include "tests/property/reference_lms1.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"
#include "tests/support/own_aheads.h"
#include "tests/support/policy_values.h"

namespace tideline {
namespace {

test::SlowLms1Plan plain(const Graph& graph, const LmsPlan& plan) {
  test::SlowLms1Plan found;
  for (const OpId op : plan.order->starting) found.starting.emplace(graph.name(op));
  for (const OpId op : graph.ops()) {
    const int order = plan.order->order_of[op.index()];
    if (order >= 0) found.order_of[std::string(graph.name(op))] = order;
  }
  found.backward_start = plan.order->backward_start;
  for (const PlannedSwap& swap : plan.swaps) {
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      std::set<std::string> consumers;
      for (const OpId op : swap_in.consumers) consumers.emplace(graph.name(op));
      std::string& trigger = found.swap_ins[{graph.tensor_name(swap.tensor), consumers}];
      if (swap_in.trigger.valid()) trigger = graph.name(swap_in.trigger);
    }
  }
  return found;
}

}  // namespace

TEST_CASE(
    "random steps: starting ops, orders, swaps and control ops of LMS v1 equal the slow rules") {
  std::size_t swap_ins = 0;
  std::size_t triggers = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed + 7777);
    const io::Document document = test::read_graph(test::RandomStep(seed).text());
    Lms1Options options = test::random_options(random);
    options.ahead_tensors = test::random_aheads(random, document.graph);
    Progress silent;
    const auto plan = plan_lms1(document.graph, {}, options, silent);
    if (!plan) {
      REQUIRE(plan.error().message == "No operations were found with optimizer scopes {'opt/'}.");
      continue;
    }
    const test::SlowLms1Plan slow = test::slow_lms1(document.graph, options);
    const test::SlowLms1Plan found = plain(document.graph, *plan);
    REQUIRE(found.starting == slow.starting);
    REQUIRE(found.order_of == slow.order_of);
    REQUIRE(found.backward_start == slow.backward_start);
    REQUIRE(found.swap_ins == slow.swap_ins);
    swap_ins += found.swap_ins.size();
    for (const auto& [key, trigger] : found.swap_ins) triggers += trigger.empty() ? 0 : 1;
  }
  CHECK(swap_ins > 1000);  // the graphs are worth the trouble
  CHECK(triggers > 500);
}

TEST_CASE("random steps: a rewrite by LMS v1 is sound and makes no cycle") {
  int rewrites = 0;
  for (std::uint32_t seed = 1000; seed < 3000; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const io::Document document = test::read_graph(test::RandomStep(seed).text());
    const Lms1Options options = test::random_options(random);
    Progress silent;
    const auto plan = plan_lms1(document.graph, {}, options, silent);
    if (!plan) continue;
    ++rewrites;
    const auto rewritten = apply(document.graph, *plan);  // verifies that there is no cycle
    REQUIRE(rewritten);
    REQUIRE(diff_graphs(document.graph, *rewritten).violations.empty());
    const auto twin = plan_lms1(document.graph, {}, options, silent);
    REQUIRE(twin);
    REQUIRE(test::plan_json_of(document.graph, *plan, options, {}) ==
            test::plan_json_of(document.graph, *twin, options, {}));
  }
  CHECK(rewrites > 1000);
}

}  // namespace tideline
