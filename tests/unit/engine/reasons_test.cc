#include "app/engine/reasons.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("Every tensor has a reason under a policy and none without", "[session]") {
  Progress silent;
  const auto graph = app::open(
      {.graph = {.path = std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta"}},
      silent);
  REQUIRE(graph);
  Policy policy;
  policy.rewriter = "lms2";
  set_value(policy, "swapout-threshold", 50);
  set_value(policy, "swapin-ahead", 3);
  set_value(policy, "swapin-groupby", 2);
  for (const std::string mode : {"lms2", "off"}) {
    policy.rewriter = mode;
    const auto snapshot = app::make_snapshot(*graph, policy, {}, silent);
    REQUIRE(snapshot);
    const auto reasons = app::Reasons::find(*snapshot, silent);
    REQUIRE(reasons);
    for (const OpId op : (*graph)->graph().ops()) {
      for (std::uint32_t slot = 0; slot < (*graph)->tensors.output_count(op); ++slot) {
        INFO((*graph)->graph().tensor_name({op, slot}));
        const auto& report = (*reasons)->explained().plan.report;
        CHECK((!report || report->rule({op, slot}).empty()) == (mode == "off"));
      }
    }
    for (const PlannedSwap& swap : (*snapshot)->plan().swaps()) {
      CHECK((*reasons)->explained().plan.report->rule(swap.tensor) == swap.why);
    }
  }
}

}  // namespace tideline
