#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/plan/diff.h"
#include "core/rewrite/plan/plan_json.h"
#include "tests/property/reference_lms2.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"
#include "tests/support/own_aheads.h"
#include "tests/support/policy_values.h"
#include "tests/support/random_graph.h"

namespace tideline {
namespace {

Lms2Options random_options(std::mt19937& random) {
  Lms2Options options;
  options.swapout_threshold = 1 + static_cast<int>(random() % 12);
  options.swapin_ahead = 1 + static_cast<int>(random() % 6);
  options.swapin_groupby = static_cast<int>(random() % 5);
  return options;
}

test::RandomGraphOptions random_shape(std::mt19937& random) {
  test::RandomGraphOptions shape;
  shape.ops = 2 + static_cast<int>(random() % 120);
  shape.max_inputs = 1 + static_cast<int>(random() % 4);
  shape.shuffled = random() % 3 == 0;
  return shape;
}

// Values of all tensors when every op computes some function of its type and its input values, in
// order, and Identity passes its input on.
std::map<std::string, std::uint64_t> evaluate(const Graph& graph) {
  std::vector<std::uint64_t> value(graph.op_count());
  const std::vector<int> levels = test::slow_levels(graph);
  std::map<std::string, std::uint64_t> by_name;
  for (int level = 0; level <= *std::max_element(levels.begin(), levels.end()); ++level) {
    for (const OpId op : graph.ops()) {
      if (levels[op.index()] != level) continue;
      std::uint64_t result = std::hash<std::string_view>()(graph.encoded(op).substr(0, 4));
      for (const TensorId input : graph.inputs(op)) {
        result = result * 0x9e3779b97f4a7c15ULL + value[input.op.index()] + input.slot;
      }
      if (graph.type(op) == "Identity") result = value[graph.inputs(op)[0].op.index()];
      value[op.index()] = result;
      by_name[std::string(graph.name(op))] = result;
    }
  }
  return by_name;
}

}  // namespace

TEST_CASE("random graphs: plans equal those of the slow rules") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const io::Document document = test::read_graph(test::random_graph(seed, random_shape(random)));
    Lms2Options options = random_options(random);
    options.ahead_tensors = test::random_aheads(random, document.graph);
    Progress silent;
    const auto plan = plan_lms2(document.graph, {}, options, silent);
    REQUIRE(plan);
    test::SlowPlan found;
    for (const PlannedSwap& swap : plan->swaps) {
      for (const PlannedSwapIn& swap_in : swap.swap_ins) {
        test::SlowGroup group;
        for (const OpId op : swap_in.consumers) group.consumers.emplace(document.graph.name(op));
        if (swap_in.trigger.valid()) group.trigger = document.graph.name(swap_in.trigger);
        found[document.graph.tensor_name(swap.tensor)].push_back(group);
      }
    }
    REQUIRE(found == test::slow_lms2(document.graph, options));
  }
}

TEST_CASE("random graphs, all modes: the rewritten graph is sound and computes the same") {
  for (std::uint32_t seed = 1000; seed < 1400; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const io::Document document = test::read_graph(test::random_graph(seed, random_shape(random)));
    Lms2Options options = random_options(random);
    options.sync_mode = static_cast<int>(random() % 4);
    if (random() % 3 == 0) options.serialization = {"1:9:2", "4:7"};
    options.ahead_tensors = test::random_aheads(random, document.graph);
    Progress silent;
    const auto plan = plan_lms2(document.graph, {}, options, silent);
    REQUIRE(plan);
    const auto rewritten = apply(document.graph, *plan);  // verifies that there is no cycle
    REQUIRE(rewritten);
    REQUIRE(diff_graphs(document.graph, *rewritten).violations.empty());
    const auto before = evaluate(document.graph);
    const auto after = evaluate(*rewritten);
    for (const auto& [name, value] : before) REQUIRE(after.at(name) == value);
    // The same again, to the last byte.
    const auto twin = plan_lms2(document.graph, {}, options, silent);
    REQUIRE(twin);
    REQUIRE(test::plan_json_of(document.graph, *plan, options, {}) ==
            test::plan_json_of(document.graph, *twin, options, {}));
  }
}

TEST_CASE("random drafts: leads_to equals a plain search") {
  for (std::uint32_t seed = 2000; seed < 2100; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    test::RandomGraphOptions shape;
    shape.ops = 30;
    const io::Document document = test::read_graph(test::random_graph(seed, shape));
    const Graph& graph = document.graph;
    const Consumers consumers(graph);
    Draft draft(graph, consumers);
    const auto any_op = [&] {
      return OpId{static_cast<std::uint32_t>(random() % draft.op_count())};
    };
    const auto plain_search = [&](OpId from, OpId to) {
      std::vector<OpId> todo = {from};
      std::vector<bool> seen(draft.op_count());
      while (!todo.empty()) {
        const OpId op = todo.back();
        todo.pop_back();
        for (const auto& nexts : {draft.readers(op), draft.waiters(op)}) {
          for (const OpId next : nexts) {
            if (next == to) return true;
            if (!seen[next.index()]) todo.push_back(next);
            seen[next.index()] = true;
          }
        }
      }
      return false;
    };
    for (int step = 0; step < 60; ++step) {
      const OpId a = any_op();
      const OpId b = any_op();
      REQUIRE(draft.leads_to(a, b) == plain_search(a, b));
      if (step % 10 == 0) {
        draft.add_copy({a, 0});
      } else if (a != b && !plain_search(b, a)) {
        draft.add_control(b, a);
      }
    }
  }
}

}  // namespace tideline
