#include "core/rewrite/lms/idle_swaps.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace tideline {
namespace {

std::vector<PlannedSwap> swaps(std::uint32_t count) {
  std::vector<PlannedSwap> made(count);
  for (std::uint32_t i = 0; i < count; ++i) made[i].tensor = {OpId{i}, 0};
  return made;
}

// Those with the even numbers have room; the last is the largest.
std::vector<SwapEffect> effects(std::uint32_t count) {
  std::vector<SwapEffect> made(count);
  for (std::uint32_t i = 0; i < count; ++i) made[i] = {AtPeak::kBack, Bytes{i}, i % 2 == 0};
  return made;
}

std::size_t idle(const std::vector<SwapEffect>& effects) {
  return static_cast<std::size_t>(std::count_if(
      effects.begin(), effects.end(), [](const SwapEffect& effect) { return effect.is_idle; }));
}

}  // namespace

TEST_CASE("swaps that seem needless are idle only where a step without them has no higher peak") {
  std::vector<SwapEffect> found = effects(10);
  std::vector<std::size_t> tried;
  // With more than one tensor kept, the step needs more.
  const auto peak = [&](const std::vector<TensorId>& kept) -> Result<Bytes> {
    tried.push_back(kept.size());
    CHECK(kept.front().op == OpId{8});  // the largest first
    return kept.size() > 1 ? 101 : 100;
  };
  REQUIRE(confirm_idle(swaps(10), 100, peak, found));
  CHECK(tried == std::vector<std::size_t>{5, 2, 1});
  CHECK(idle(found) == 1);
  CHECK(found[8].is_idle);
}

TEST_CASE("where every try raises the peak nothing is idle, whatever was said before") {
  std::vector<SwapEffect> found = effects(6);
  for (SwapEffect& effect : found) effect.is_idle = true;
  REQUIRE(confirm_idle(
      swaps(6), 100, [](const auto&) -> Result<Bytes> { return 200; }, found));
  CHECK(idle(found) == 0);
}

TEST_CASE("without candidates no step is simulated, and an error of one is an error") {
  std::vector<SwapEffect> none(3);
  CHECK_FALSE(may_have_idle(none));
  const auto fails = [](const auto&) -> Result<Bytes> { return fail(Code::kCancelled, "no"); };
  CHECK(confirm_idle(swaps(3), 100, fails, none));
  std::vector<SwapEffect> some = effects(3);
  CHECK_FALSE(confirm_idle(swaps(3), 100, fails, some));
}

}  // namespace tideline
