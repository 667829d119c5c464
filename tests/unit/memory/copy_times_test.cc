#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "app/engine/device_result.h"
#include "core/memory/step_clock.h"
#include "tests/support/scene_text.h"

namespace tideline {
namespace {

struct Sum {
  double busy_ns = 0;
  double end_ns = 0;
  std::size_t count = 0;
};

// Adds up one direction; its copies come one after the other.
Sum sum_of(const std::vector<CopyTime>& copies, bool to_host) {
  Sum sum;
  for (const CopyTime& copy : copies) {
    if (copy.to_host != to_host) continue;
    CHECK(copy.begin_ns >= sum.end_ns - 1e-6);
    CHECK(copy.end_ns > copy.begin_ns);
    CHECK(copy.bytes == 256);
    sum.busy_ns += copy.end_ns - copy.begin_ns;
    sum.end_ns = copy.end_ns;
    ++sum.count;
  }
  return sum;
}

}  // namespace

TEST_CASE("copies take the time that the clock says, one after the other") {
  const auto snapshot = test::snapshot_of(test::u_shaped_graph(2, 30), test::swap_policy(5, 2, 0));
  const app::DeviceResult& device = snapshot->devices.front();
  const StepTime& time = device.timing.after;
  const Sum out = sum_of(device.timing.after.copies, true);
  const Sum in = sum_of(device.timing.after.copies, false);
  CHECK(out.count == snapshot->plan().swaps().size());
  CHECK(std::abs(out.busy_ns - static_cast<double>(time.to_host_ns)) < 2);
  CHECK(std::abs(in.busy_ns - static_cast<double>(time.to_device_ns)) < 2);
}

TEST_CASE("a copy that is late ends when its reader begins") {
  const auto snapshot = test::snapshot_of(test::u_shaped_graph(2, 30), test::swap_policy(5, 2, 0));
  const app::DeviceResult& device = snapshot->devices.front();
  const StepTime& time = device.timing.after;
  REQUIRE_FALSE(time.late.empty());
  for (std::size_t i = 0; i < time.late.size(); ++i) {
    const LateSwapIn& late = time.late[i];
    const bool is_last = i + 1 == time.late.size() || !(time.late[i + 1].reader == late.reader);
    const auto copy =
        std::find_if(device.timing.after.copies.begin(), device.timing.after.copies.end(),
                     [&](const CopyTime& candidate) {
                       return !candidate.to_host && candidate.tensor.op == late.tensor.op;
                     });
    REQUIRE(copy != device.timing.after.copies.end());
    if (is_last) CHECK(std::abs(copy->end_ns - time.ops[late.reader.index()].begin_ns) < 1e-6);
  }
}

TEST_CASE("a step without swaps has no copies") {
  const auto snapshot = test::snapshot_of(test::u_shaped_graph(1, 5));
  CHECK(snapshot->devices.front().timing.after.copies.empty());
}

TEST_CASE("within a budget copies begin when the clock lets them") {
  Policy policy = test::swap_policy(5, 20, 0);
  policy.budget = MemoryBudget{};
  bool has_waited = false;
  for (Bytes budget = 10 * 256; budget < 70 * 256; budget += 512) {
    policy.budget->device = budget;
    const auto snapshot = test::snapshot_of(test::u_shaped_graph(2, 30), policy);
    const app::DeviceResult& device = snapshot->devices.front();
    const StepTime& time = device.timing.after;
    if (time.stuck) continue;
    const Sum in = sum_of(device.timing.after.copies, false);
    CHECK(std::abs(in.busy_ns - static_cast<double>(time.to_device_ns)) < 2);
    has_waited = has_waited || !time.memory_waits.empty();
    for (const CopyTime& copy : device.timing.after.copies) {
      CHECK(copy.end_ns <= static_cast<double>(time.step_ns()) + 1e9);
    }
  }
  CHECK(has_waited);
}

}  // namespace tideline
