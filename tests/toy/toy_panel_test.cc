// The panel shows the parameters of a rewriter that it has never heard of.
#include <catch2/catch.hpp>

#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {

TEST_CASE("A toy rewriter is chosen and set in the panel, by label", "[toy]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.click("policy/mode");
  driver.take();
  driver.click("policy/mode/toy");
  CHECK(driver.take() == ui::Intents{{"policy.choose", {"toy"}}});
  fixture->policy.rewriter = "toy";
  driver.frames(2);
  driver.take();
  driver.click("policy/loud");
  CHECK(driver.take() == ui::Intents{{"policy.set", {"loud", "on"}}});
  driver.drag("policy/copies", 40, 0);
  const ui::Intents asked = driver.take();
  REQUIRE_FALSE(asked.empty());
  CHECK(asked.back().arguments.at(0) == "copies");
  CHECK_FALSE(driver.has("policy/swapout threshold"));
  driver.click("policy/More parameters");
  driver.click("policy/more/host device");
  driver.press(ImGuiKey_End);
  driver.type("1");
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take().back() == ui::Intent{"policy.set", {"cpu-device", "/cpu:01"}});
}

}  // namespace tideline::gui
