#include "app/session/reasons.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("Every tensor has a reason under a policy and none without", "[session]") {
  Progress silent;
  const auto graph = session::open(
      {.graph = {.path = std::string(TIDELINE_SOURCE_DIR) + "/assets/samples/tutorial_mnist.meta"}},
      silent);
  REQUIRE(graph);
  Policy policy;
  policy.mode = PolicyMode::kLms2;
  policy.lms2.swapout_threshold = 50;
  policy.lms2.swapin_ahead = 3;
  policy.lms2.swapin_groupby = 2;
  for (const PolicyMode mode : {PolicyMode::kLms2, PolicyMode::kOff}) {
    policy.mode = mode;
    const auto snapshot = session::make_snapshot(*graph, policy, {}, silent);
    REQUIRE(snapshot);
    const auto reasons = session::Reasons::find(*snapshot, silent);
    REQUIRE(reasons);
    for (const OpId op : (*graph)->graph().ops()) {
      for (std::uint32_t slot = 0; slot < (*graph)->tensors.output_count(op); ++slot) {
        INFO((*graph)->graph().tensor_name({op, slot}));
        CHECK((*reasons)->why({op, slot}).empty() == (mode == PolicyMode::kOff));
      }
    }
    for (const PlannedSwap& swap : (*snapshot)->plan().swaps) {
      CHECK((*reasons)->why(swap.tensor) == session::why_swapped(**snapshot, swap.tensor));
    }
  }
}

}  // namespace tideline
