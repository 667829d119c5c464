#include "core/rewrite/policy.h"

#include <catch2/catch.hpp>

#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/lms2/lms2.h"
#include "tests/support/graph_text.h"
#include "tests/unit/rewrite/plan_text.h"

namespace tideline {
namespace {

// Three forward ops, three backward ops; t0 and t1 are read far behind.
constexpr const char* kStep = R"(
x = Placeholder() @/gpu:0 f32[8,256]
t0 = Relu(x) @/gpu:0 f32[8,256]
t1 = Relu(t0) @/gpu:0 f32[8,256]
t2 = Relu(t1) @/gpu:0 f32[8,256]
g/2 = ReluGrad(t2, t2) @/gpu:0 f32[8,256]
g/1 = ReluGrad(g/2, t1) @/gpu:0 f32[8,256]
g/0 = ReluGrad(g/1, t0) @/gpu:0 f32[8,256]
end = NoOp(^g/0) @/gpu:0
out = Relu(g/0) @/gpu:0 f32[8,256]
)";

Result<PolicyPlan> plan_of(const io::Document& document, const Policy& policy) {
  Progress silent;
  return make_plan(document.graph, {}, {}, policy, /*explain=*/true, silent);
}

Policy lms2_policy(int threshold) {
  Policy policy;
  policy.mode = PolicyMode::kLms2;
  policy.lms2.swapout_threshold = threshold;
  policy.lms2.swapin_ahead = 1;
  policy.lms2.swapin_groupby = 0;
  return policy;
}

Policy lms1_policy() {
  Policy policy;
  policy.mode = PolicyMode::kLms1;
  policy.lms1.optimizer_scopes = {"g"};
  return policy;
}

std::vector<std::string> swapped(const io::Document& document, const LmsPlan& plan) {
  std::vector<std::string> names;
  for (const PlannedSwap& swap : plan.swaps) {
    names.push_back(document.graph.tensor_name(swap.tensor));
  }
  return names;
}

}  // namespace

TEST_CASE("a policy: names of modes lead to the modes, others to nothing") {
  for (const auto mode : {PolicyMode::kOff, PolicyMode::kLms1, PolicyMode::kLms2}) {
    CHECK(find_policy_mode(policy_mode_name(mode)) == mode);
  }
  CHECK_FALSE(find_policy_mode("lms3"));
}

TEST_CASE("a policy: copies are equal until one of them is changed") {
  const Policy policy = lms2_policy(2);
  Policy copy = policy;
  CHECK(copy == policy);
  copy.lms1.excl_scopes = {"a"};
  CHECK(copy != policy);
  copy = policy;
  copy.budget = MemoryBudget{1000};
  CHECK(copy != policy);
}

TEST_CASE("a policy: off plans nothing and asks for no parameters") {
  const auto document = test::read_graph(kStep);
  const auto made = plan_of(document, {});
  REQUIRE(made);
  CHECK(made->plan.added.empty());
  CHECK(made->plan.not_swapped.empty());
}

TEST_CASE("a policy: missing parameters are an error that names the option") {
  const auto document = test::read_graph(kStep);
  Policy policy = lms2_policy(-1);
  const auto lms2 = plan_of(document, policy);
  REQUIRE_FALSE(lms2);
  CHECK(lms2.error().message.find("--swapout-threshold") != std::string::npos);
  policy.mode = PolicyMode::kLms1;
  const auto lms1 = plan_of(document, policy);
  REQUIRE_FALSE(lms1);
  CHECK(lms1.error().message.find("--optimizer-scopes") != std::string::npos);
}

TEST_CASE("a policy: each mode plans as its rewriter does, whatever the other's options say") {
  const auto document = test::read_graph(kStep);
  Progress silent;
  Policy policy = lms2_policy(2);
  policy.lms1 = lms1_policy().lms1;
  const auto lms2 = plan_of(document, policy);
  REQUIRE(lms2);
  const auto same = plan_lms2(document.graph, {}, policy.lms2, silent);
  REQUIRE(same);
  CHECK(swapped(document, lms2->plan) == swapped(document, *same));
  CHECK_FALSE(lms2->plan.swaps.empty());
  policy.mode = PolicyMode::kLms1;
  const auto lms1 = plan_of(document, policy);
  REQUIRE(lms1);
  CHECK(lms1->plan.version == 1);
  CHECK(swapped(document, lms1->plan) == std::vector<std::string>{"t0:0", "t1:0", "t2:0"});
}

TEST_CASE("a policy: every tensor is in the plan with a reason, also when nothing is swapped") {
  const auto document = test::read_graph(kStep);
  std::size_t tensors = 8;  // `end` has no output
  Policy off = lms1_policy();
  off.lms1.n_tensors = 0;
  Policy roomy = lms2_policy(-1);
  roomy.lms2.swapin_ahead = -1;
  roomy.lms2.swapin_groupby = -1;
  roomy.budget = MemoryBudget{Bytes{1} << 30U};
  for (const Policy& policy : {lms2_policy(2), lms2_policy(90), lms1_policy(), off, roomy}) {
    const auto made = plan_of(document, policy);
    REQUIRE(made);
    CHECK(made->plan.swaps.size() + made->plan.not_swapped.size() == tensors);
  }
  const auto made = plan_of(document, off);
  CHECK(made->plan.not_swapped[0].why == "LMS is turned off (n_tensors 0)");
}

TEST_CASE("a planner: changed parameters give what a fresh one gives") {
  const auto document = test::read_graph(kStep);
  Progress silent;
  Planner planner(document.graph, document.collections, {});
  std::size_t most = 0;
  for (const int threshold : {1, 4, 2, 90, 3, 1}) {
    INFO(threshold);
    Policy policy = lms2_policy(threshold);
    if (threshold == 3) policy.keep_tensors = {"t1:0"};
    const auto again = planner.plan(policy, false, silent);
    const auto fresh = plan_of(document, policy);
    REQUIRE(again);
    REQUIRE(fresh);
    CHECK(swapped(document, again->plan) == swapped(document, fresh->plan));
    CHECK(again->used.lms2.swapout_threshold == threshold);
    most = std::max(most, again->plan.swaps.size());
  }
  CHECK(most > 1);
}

TEST_CASE("a policy: overrides reach both modes") {
  const auto document = test::read_graph(kStep);
  for (Policy policy : {lms2_policy(1), lms1_policy()}) {
    policy.keep_tensors = {"t0"};
    const auto made = plan_of(document, policy);
    REQUIRE(made);
    for (const std::string& name : swapped(document, made->plan)) CHECK(name != "t0:0");
    CHECK(made->used.lms1.keep_tensors == policy.keep_tensors);
    CHECK(made->used.lms2.keep_tensors == policy.keep_tensors);
  }
}

TEST_CASE("automatic mode: the parameters that were found are in the policy that was used") {
  const auto document = test::read_graph(kStep);
  Policy policy = lms2_policy(-1);
  policy.lms2.swapin_ahead = -1;
  policy.lms2.swapin_groupby = -1;
  policy.budget = MemoryBudget{36000, kDefaultHostMemory, 1.0};
  CHECK(policy.is_automatic());
  const auto made = plan_of(document, policy);
  REQUIRE(made);
  REQUIRE(made->tuned);
  CHECK(made->used.lms2.swapout_threshold == made->tuned->parameters.swapout_threshold);
  CHECK_FALSE(made->used.is_automatic());
}

}  // namespace tideline
