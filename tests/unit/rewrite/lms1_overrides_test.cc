// --keep-tensors and --swap-tensors in LMS v1.
#include <catch2/catch.hpp>
#include <map>

#include "core/analysis/levels.h"
#include "core/rewrite/lms/own_ahead_at.h"
#include "core/rewrite/lms1/lms1.h"
#include "tests/support/graph_text.h"
#include "tests/support/lms_plans.h"

namespace tideline {
namespace {

// Three tensors of the forward phase that the backward phase reads, and one that it does not.
constexpr const char* const kStep = R"(
  x = Placeholder() f32[2,4]
  f/0 = MadeUp(x) f32[2,4] f32[2,4]
  f/1 = MadeUp(f/0) f32[2,4]
  f/2 = Add(f/1, f/0) f32[2,4]
  g/2 = MadeUp(f/2, f/1) f32[2,4]
  g/1 = MadeUp(g/2, f/1, f/0:1) f32[2,4]
  g/0 = MadeUp(g/1, f/0, g/2) f32[2,4]
  g/end = MadeUp(g/0) f32[2,4]
)";

std::map<std::string, std::string> reasons(const Lms1Options& given) {
  const io::Document document = test::read_graph(kStep);
  Lms1Options options = given;
  options.optimizer_scopes = {"g/"};
  options.starting_op_names = {"f/0"};
  options.explain = true;
  Progress silent;
  const auto plan = plan_lms1(document.graph, {}, options, silent);
  INFO((plan ? "" : plan.error().message));
  REQUIRE(plan);
  REQUIRE(apply(document.graph, *plan));
  std::map<std::string, std::string> found;
  for (const PlannedSwap& swap : plan->swaps) {
    found[document.graph.tensor_name(swap.tensor)] = "swapped: " + swap.why;
  }
  for (const KeptTensor& kept : plan->not_swapped) {
    found[document.graph.tensor_name(kept.tensor)] = kept.why;
  }
  return found;
}

}  // namespace

TEST_CASE("LMS v1 keeps a tensor that the user keeps, and no other of its op") {
  Lms1Options options;
  options.keep_tensors = {"f/0:0"};
  const auto why = reasons(options);
  CHECK(why.at("f/0:0") == "listed in keep-tensors");
  CHECK(why.at("f/0:1").starts_with("swapped: consumer g/1"));
}

TEST_CASE("LMS v1 swaps a tensor that the user lists in spite of every filter") {
  Lms1Options options;
  options.excl_scopes = {"f/0", "f/1"};
  options.swap_tensors = {"f/0:1", "f/2"};
  const auto why = reasons(options);
  CHECK(why.at("f/0:0") == "producer: excluded by scope f/0");
  CHECK(why.at("f/0:1") == "swapped: listed in swap-tensors");
  CHECK(why.at("f/1:0") == "producer: excluded by scope f/1");
  CHECK(why.at("f/2:0") == "swapped: listed in swap-tensors");  // of type Add
}

TEST_CASE("LMS v1 swaps listed tensors beyond the number of tensors") {
  Lms1Options options;
  options.n_tensors = 1;
  options.swap_tensors = {"f/1"};
  const auto why = reasons(options);
  CHECK(why.at("f/0:0").starts_with("swapped: consumer"));
  CHECK(why.at("f/0:1") == "1 tensors are swapped already");
  CHECK(why.at("f/1:0") == "swapped: listed in swap-tensors");
}

TEST_CASE("LMS v1 swaps a listed tensor of a backward op") {
  Lms1Options options;
  options.swap_tensors = {"g/2"};
  const auto why = reasons(options);
  CHECK(why.at("g/2:0") == "swapped: listed in swap-tensors");
  CHECK(reasons({}).at("g/2:0") == "producer: a backward op");
}

TEST_CASE("LMS v1 says why a listed tensor stays all the same") {
  Lms1Options options;
  options.swap_tensors = {"x", "g/end"};
  const auto why = reasons(options);
  CHECK(why.at("x:0") ==
        "listed in swap-tensors, but its producer is not reachable from the starting ops");
  CHECK(why.at("g/end:0") == "listed in swap-tensors, but no consumer");
}

TEST_CASE("LMS v1 copies a tensor back by its own distance instead of lb") {
  const io::Document document = test::read_graph(kStep);
  const auto triggers = [&](int lb, std::vector<std::string> own) {
    Lms1Options options;
    options.optimizer_scopes = {"g/"};
    options.starting_op_names = {"f/0"};
    options.ctrld_strategy = ControlStrategy::kDirectOrder;
    options.lb = lb;
    options.ahead_tensors = std::move(own);
    Progress silent;
    const auto plan = plan_lms1(document.graph, {}, options, silent);
    REQUIRE(plan);
    REQUIRE(apply(document.graph, *plan));
    std::map<std::string, std::string> found;  // of the last swap-in of each tensor
    for (const PlannedSwap& swap : plan->swaps) {
      const OpId op = swap.swap_ins.back().trigger;
      found[document.graph.tensor_name(swap.tensor)] =
          op.valid() ? std::string(document.graph.name(op)) : "";
    }
    return found;
  };
  const auto near = triggers(0, {});
  const auto far = triggers(2, {});
  CHECK(near.at("f/0:0") == "g/1");
  CHECK(far.at("f/0:0") == "f/2");
  const auto own = triggers(0, {"f/0=2"});
  CHECK(own.at("f/0:0") == "f/2");
  CHECK(own.at("f/0:1") == near.at("f/0:1"));
  CHECK(triggers(2, {"f/0=1", "f/0:1=1", "f/1=1"}) == triggers(1, {}));
  Lms1Options options;
  options.ahead_tensors = {"f/0=2"};
  CHECK(reasons(options).at("f/0:0").ends_with("; swap-in by its own: 2 orders ahead"));
}

TEST_CASE("LMS v1 counts the distance of a level in orders") {
  const io::Document document = test::read_graph(kStep);
  const LevelMap levels = complete_levels(document.graph);
  Lms1Options options;
  options.optimizer_scopes = {"g/"};
  options.starting_op_names = {"f/0"};
  options.ctrld_strategy = ControlStrategy::kDirectOrder;
  Progress silent;
  const auto plan = plan_lms1(document.graph, {}, options, silent);
  REQUIRE(plan);
  const RewritePlan made = finished(document.graph, *plan);
  const OpId reader = document.graph.find("g/0");
  // Back behind g/1, the op before the reader, and behind f/2, two before that.
  const auto behind = [&](const char* op) { return levels.level(document.graph.find(op)) + 1; };
  CHECK(own_ahead_at(made, levels, reader, behind("g/1")) == 1);
  CHECK(own_ahead_at(made, levels, reader, behind("f/2")) == 2);
}

TEST_CASE("LMS v1 refuses lists that name no tensor, or one tensor twice") {
  const io::Document document = test::read_graph(kStep);
  Lms1Options options;
  options.optimizer_scopes = {"g/"};
  options.keep_tensors = {"nowhere"};
  Progress silent;
  auto plan = plan_lms1(document.graph, {}, options, silent);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().code == Code::kNotFound);
  options.keep_tensors = {"f/0"};
  options.swap_tensors = {"f/0:0"};
  plan = plan_lms1(document.graph, {}, options, silent);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().code == Code::kInvalidArgument);
}

}  // namespace tideline
