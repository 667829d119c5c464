// What the reference's first version did, against what we do: orders, swaps, control ops, errors.
#include <map>
#include <set>

#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/plan/diff.h"
#include "core/rewrite/predict.h"
#include "tests/golden/oracles.h"
#include "tests/support/lms_plans.h"

namespace tideline {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

Lms1Options options_of(const Json& oracle) {
  const Json& params = oracle.at("params");
  Lms1Options options;
  options.optimizer_scopes = params.value("optimizer_scopes", Names{});
  options.starting_scope = params.value("starting_scope", std::string());
  options.starting_op_names = params.value("starting_op_names", Names{});
  options.excl_scopes = params.value("excl_scopes", Names{});
  options.incl_scopes = params.value("incl_scopes", Names{});
  options.excl_types = params.value("excl_types", Names{});
  options.incl_types = params.value("incl_types", Names{});
  options.n_tensors = params.value("n_tensors", -1);
  options.lb = params.value("lb", 1);
  options.ub = params.value("ub", 10000);
  options.fuse_swapins = params.value("fuse_swapins", false);
  options.swap_branches = params.value("swap_branches", false);
  options.branch_threshold = params.value("branch_threshold", 0);
  const auto strategy = control_strategy(params.value("ctrld_strategy", std::string("chain_rule")));
  REQUIRE(strategy);
  options.ctrld_strategy = *strategy;
  return options;
}

void check_order(const Graph& graph, const Json& oracle, const LmsPlan& plan) {
  REQUIRE(plan.order);
  CHECK(plan.order->count == oracle["orders"]);
  CHECK(plan.order->backward_start == oracle["backward_starting_order"]);
  std::set<std::string> starting;
  for (const OpId op : plan.order->starting) starting.emplace(graph.name(op));
  CHECK(starting == oracle["starting_ops"].get<std::set<std::string>>());
  if (!oracle.contains("order_of")) return;
  std::map<std::string, int> order_of;
  for (const OpId op : graph.ops()) {
    const int order = plan.order->order_of[op.index()];
    if (order >= 0) order_of[std::string(graph.name(op))] = order;
  }
  CHECK(order_of == oracle["order_of"].get<std::map<std::string, int>>());
}

// (tensor, sorted consumers) -> admissible control ops; null in the oracle: none.
void check_swaps(const Graph& graph, const Json& oracle, const LmsPlan& plan) {
  using Key = std::pair<std::string, std::set<std::string>>;
  std::map<Key, std::set<std::string>> wanted;
  for (const Json& swap : oracle["swaps"]) {
    for (const Json& swap_in : swap["swapins"]) {
      std::set<std::string>& admissible =
          wanted[{swap["tensor"], swap_in["consumers"].get<std::set<std::string>>()}];
      if (!swap_in.contains("control") || swap_in["control"].is_null()) continue;
      for (const Json& op : swap_in["control"]["candidates"]) admissible.insert(op);
    }
  }
  std::size_t found = 0;
  for (const PlannedSwap& swap : plan.swaps) {
    for (const PlannedSwapIn& swap_in : swap.swap_ins) {
      ++found;
      std::set<std::string> consumers;
      for (const OpId op : swap_in.consumers) consumers.emplace(graph.name(op));
      const auto entry = wanted.find({graph.tensor_name(swap.tensor), consumers});
      INFO(graph.tensor_name(swap.tensor));
      REQUIRE(entry != wanted.end());
      CHECK(swap_in.trigger.valid() == !entry->second.empty());
      if (!swap_in.trigger.valid()) continue;
      CHECK(entry->second.count(std::string(graph.name(swap_in.trigger))) == 1);
    }
  }
  CHECK(found == wanted.size());
  CHECK(plan.swap_out_count() == oracle["swap_outs"]);
  CHECK(swap_in_count(plan.swaps) == oracle["swap_ins"]);
}

// The house's invariant: simulated afresh, the rewritten graph needs what the plan says.
void check_prediction(const io::Document& document, const LmsPlan& plan, const Graph& rewritten) {
  const TensorOptions sizes{.batch_size = 4, .model = SizeModel::kFaithful};
  const PlanPrediction predicted = test::predict(document, sizes, plan);
  const auto tensors = TensorTable::build(rewritten, sizes);
  REQUIRE(tensors);
  const auto step = build_step_graph(rewritten, *tensors, document.collections, {});
  REQUIRE(step);
  const MemoryTimeline afresh = simulate_step(*step).timeline;
  CHECK(predicted.device_peak_bytes == afresh.device_peak);
  CHECK(predicted.host_peak_bytes == afresh.host_peak);
}

template <typename Check>
int for_each_oracle(const Check& check) {
  int cases = 0;
  for (const auto& [path, oracle] : test::oracles("lms_v1", 19)) {
    INFO(path);
    if (check(test::open_graph(test::graph_file(oracle["graph"])), oracle)) ++cases;
  }
  return cases;
}

}  // namespace

TEST_CASE("oracles of LMS v1: starting ops, orders, swaps and control ops are equal") {
  const int cases = for_each_oracle([](const io::Document& document, const Json& oracle) {
    if (!oracle.contains("swaps")) return false;
    Progress silent;
    const auto plan = plan_lms1(document.graph, document.collections, options_of(oracle), silent);
    REQUIRE(plan);
    check_order(document.graph, oracle, *plan);
    check_swaps(document.graph, oracle, *plan);
    const auto rewritten = apply(document.graph, *plan);
    REQUIRE(rewritten);
    CHECK(diff_graphs(document.graph, *rewritten).violations.empty());
    check_prediction(document, *plan, *rewritten);
    return true;
  });
  CHECK(cases == 15);
}

TEST_CASE("oracles of LMS v1: errors have the reference's words, and 0 tensors change nothing") {
  const int cases = for_each_oracle([](const io::Document& document, const Json& oracle) {
    if (oracle.contains("swaps")) return false;
    Progress silent;
    const auto plan = plan_lms1(document.graph, document.collections, options_of(oracle), silent);
    if (oracle.contains("error")) {
      REQUIRE_FALSE(plan);
      CHECK(plan.error().code == Code::kNotFound);
      // What the graph has instead comes behind the reference's words.
      CHECK_THAT("ValueError: " + plan.error().message,
                 Catch::Matchers::StartsWith(oracle["error"].get<std::string>()));
    } else {
      REQUIRE(plan);
      CHECK(plan->edit.added.empty());
      CHECK(plan->log.size() == 1);
    }
    return true;
  });
  CHECK(cases == 4);
}

}  // namespace tideline
