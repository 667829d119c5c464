#include "app/session/sample.h"

#include <catch2/catch.hpp>

#include "app/actions/commands.h"
#include "app/actions/ui_model.h"
#include "render/model/result_lines.h"
#include "tests/unit/session/viewer_fixture.h"

namespace tideline::app {
namespace {

TEST_CASE("the sample that a new user opens needs less memory with its plan, at a small cost") {
  test::Desk desk;
  REQUIRE(run_action(desk, "file.open-sample", {}));
  test::settle(desk);
  const auto& snapshot = desk.graph().snapshot();
  REQUIRE(snapshot);
  REQUIRE(snapshot->has_plan());
  const DeviceResult& device = snapshot->devices.front();
  CHECK(device.original->before.timeline.device_peak >= Bytes{700} << 20);
  CHECK(device.result().timeline.device_peak <= Bytes{410} << 20);
  CHECK(device.timing.factor() < 1.25);
  CHECK_FALSE(desk.graph().is_unwritten());
  // Nobody wrote it, and nobody is asked when leaving.
  CHECK(
      ui::open_state_text(make_ui_model(desk)).starts_with("rewritten when opened   +10 swap-out"));
}

TEST_CASE("what to do first is said of a sample as it is opened, not of its file without a plan") {
  test::Desk desk;
  REQUIRE(run_action(desk, "file.open-sample", {"tutorial"}));
  test::settle(desk);
  CHECK_FALSE(make_ui_model(desk).try_first.empty());
  test::Desk plain;
  test::open_tutorial(plain);
  CHECK(make_ui_model(plain).try_first.empty());
}

}  // namespace
}  // namespace tideline::app
