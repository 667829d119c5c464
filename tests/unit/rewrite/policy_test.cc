#include "core/rewrite/policy.h"

#include <catch2/catch.hpp>

#include "core/rewrite/lms1/lms1.h"
#include "core/rewrite/lms2/lms2.h"
#include "core/rewrite/lms2/rewriter.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"
#include "tests/support/policy_values.h"
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

Result<Outcome> plan_of(const io::Document& document, const Policy& policy) {
  Progress silent;
  return make_plan(document.graph, {}, {}, policy, /*explain=*/true, silent);
}

Policy lms2_policy(int threshold) {
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", threshold);
  set_value(policy, "swapin-ahead", 1);
  set_value(policy, "swapin-groupby", 0);
  return policy;
}

Policy lms1_policy() {
  Policy policy;
  policy.rewriter = "lms1";
  set_value(policy, "optimizer-scopes", std::vector<std::string>{"g"});
  return policy;
}

std::vector<std::string> swapped(const io::Document& document, const RewritePlan& plan) {
  std::vector<std::string> names;
  for (const PlannedSwap& swap : plan.swaps()) {
    names.push_back(document.graph.tensor_name(swap.tensor));
  }
  return names;
}

}  // namespace

TEST_CASE("the table: ids lead to their rewriters, others to nothing") {
  CHECK(rewriters().size() >= 2);
  for (const Rewriter* rewriter : rewriters()) CHECK(find_rewriter(rewriter->id) == rewriter);
  CHECK(find_rewriter("lms3") == nullptr);
  CHECK(find_rewriter("off") == nullptr);
}

TEST_CASE("a policy of a rewriter that does not exist is refused by name") {
  Policy policy;
  policy.rewriter = "lms3";
  const Status status = validate(policy);
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "there is no rewriter 'lms3'; expected " + rewriter_ids(true));
  CHECK(rewriter_ids(true).ends_with(" or off"));
}

TEST_CASE("a policy: copies are equal until one of them is changed") {
  const Policy policy = lms2_policy(2);
  Policy copy = policy;
  CHECK(copy == policy);
  set_value(copy, "excl-scopes", std::vector<std::string>{"a"});
  CHECK(copy != policy);
  copy = policy;
  copy.budget = MemoryBudget{1000};
  CHECK(copy != policy);
}

TEST_CASE("a policy: off plans nothing and asks for no parameters") {
  const auto document = test::read_graph(kStep);
  const auto made = plan_of(document, {});
  REQUIRE(made);
  CHECK(made->plan.edit.added.empty());
  CHECK(made->plan.report == nullptr);
}

TEST_CASE("a policy: missing parameters are an error that names the option") {
  const auto document = test::read_graph(kStep);
  Policy policy = lms2_policy(-1);
  const auto lms2 = plan_of(document, policy);
  REQUIRE_FALSE(lms2);
  CHECK(lms2.error().message.find("{swapout-threshold}") != std::string::npos);
  policy.rewriter = "lms1";
  const auto lms1 = plan_of(document, policy);
  REQUIRE_FALSE(lms1);
  CHECK(lms1.error().message.find("{optimizer-scopes}") != std::string::npos);
}

TEST_CASE("a policy: each mode plans as its rewriter does, whatever the other's options say") {
  const auto document = test::read_graph(kStep);
  Progress silent;
  Policy policy = lms2_policy(2);
  set_value(policy, "optimizer-scopes", value_of(lms1_policy(), "optimizer-scopes"));
  const auto lms2 = plan_of(document, policy);
  REQUIRE(lms2);
  const auto same = plan_lms2(document.graph, {}, options_of<Lms2Options>(policy.values), silent);
  REQUIRE(same);
  CHECK(swapped(document, lms2->plan) == swapped(document, finished(document.graph, *same)));
  CHECK_FALSE(lms2->plan.swaps().empty());
  policy.rewriter = "lms1";
  const auto lms1 = plan_of(document, policy);
  REQUIRE(lms1);
  CHECK(swapped(document, lms1->plan) == std::vector<std::string>{"t0:0", "t1:0", "t2:0"});
}

TEST_CASE("a policy: every tensor is in the plan with a reason, also when nothing is swapped") {
  const auto document = test::read_graph(kStep);
  std::size_t tensors = 8;  // `end` has no output
  Policy off = lms1_policy();
  set_value(off, "n-tensors", 0);
  Policy roomy = lms2_policy(-1);
  set_value(roomy, "swapin-ahead", -1);
  set_value(roomy, "swapin-groupby", -1);
  roomy.budget = MemoryBudget{Bytes{1} << 30U};
  for (const Policy& policy : {lms2_policy(2), lms2_policy(90), lms1_policy(), off, roomy}) {
    const auto made = plan_of(document, policy);
    REQUIRE(made);
    CHECK(made->plan.swaps().size() + made->plan.report->kept().size() == tensors);
  }
  const auto made = plan_of(document, off);
  CHECK(made->plan.report->kept()[0].why == "LMS is turned off (n_tensors 0)");
}

TEST_CASE("a planner: changed parameters give what a fresh one gives") {
  const auto document = test::read_graph(kStep);
  Progress silent;
  Planner planner(document.graph, document.collections, {});
  std::size_t most = 0;
  for (const int threshold : {1, 4, 2, 90, 3, 1}) {
    INFO(threshold);
    Policy policy = lms2_policy(threshold);
    if (threshold == 3) set_value(policy, "keep-tensors", std::vector<std::string>{"t1:0"});
    const auto again = planner.plan(policy, false, silent);
    const auto fresh = plan_of(document, policy);
    REQUIRE(again);
    REQUIRE(fresh);
    CHECK(swapped(document, again->plan) == swapped(document, fresh->plan));
    CHECK(test::number_of(again->used, "swapout-threshold") == threshold);
    most = std::max(most, again->plan.swaps().size());
  }
  CHECK(most > 1);
}

TEST_CASE("a policy: overrides reach both modes") {
  const auto document = test::read_graph(kStep);
  for (Policy policy : {lms2_policy(1), lms1_policy()}) {
    set_value(policy, "keep-tensors", std::vector<std::string>{"t0"});
    const auto made = plan_of(document, policy);
    REQUIRE(made);
    for (const std::string& name : swapped(document, made->plan)) CHECK(name != "t0:0");
    CHECK(names_of(made->used, "keep-tensors") == std::vector<std::string>{"t0"});
  }
}

TEST_CASE("automatic mode: the parameters that were found are in the policy that was used") {
  const auto document = test::read_graph(kStep);
  Policy policy = lms2_policy(-1);
  set_value(policy, "swapin-ahead", -1);
  set_value(policy, "swapin-groupby", -1);
  policy.budget = MemoryBudget{36000, kDefaultHostMemory, 1.0};
  CHECK(policy.is_automatic());
  const auto made = plan_of(document, policy);
  REQUIRE(made);
  REQUIRE(made->tuned);
  const Policy found{"lms2", made->tuned->values};
  CHECK(test::number_of(made->used, "swapout-threshold") ==
        test::number_of(found, "swapout-threshold"));
  CHECK(made->tuned->trials.front().stage == "without swaps");
  CHECK_FALSE(made->used.is_automatic());
}

}  // namespace tideline
