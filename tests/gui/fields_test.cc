#include <catch2/catch.hpp>

#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intent;
using ui::Intents;

constexpr const char* kBudget = "policy/device budget";
constexpr const char* kBatch = "policy/batch size";

// What is asked for when `text` is typed in the place of what a slider shows.
Intents typed(Driver& driver, std::string_view slider, std::string_view text) {
  driver.take();
  driver.control_click(slider);
  driver.type(text);
  CHECK(driver.take().empty());
  driver.press(ImGuiKey_Enter);
  driver.frames(2);
  return driver.take();
}

Intents budget(const char* value) {
  return {{"policy.set", {"device-memory", value}}};
}

}  // namespace

TEST_CASE("168 MiB typed into the budget is no 168 GiB", "[fields]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK(typed(driver, kBudget, "168 MiB") == budget("168MiB"));
  CHECK(typed(driver, kBudget, "4G") == budget("4GiB"));
  CHECK(typed(driver, kBudget, "10M") == budget("10MiB"));
  CHECK(typed(driver, kBudget, "16KIB") == budget("16384"));
  CHECK(typed(driver, kBudget, "1.5 gib") == budget("1536MiB"));
  CHECK(typed(driver, kBudget, "none") == Intents{});  // it is that already
}

TEST_CASE("60 % typed into the budget is a share of the peak, not 60 GiB", "[fields]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK(typed(driver, kBudget, "60 %") == budget("60 %"));
  CHECK(typed(driver, kBudget, "60%") == budget("60%"));
}

TEST_CASE("What cannot be read is refused with what is expected, and stays to be corrected",
          "[fields]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK(typed(driver, kBudget, "60%%").empty());
  REQUIRE(driver.has("policy/device budget/refused"));
  driver.press(ImGuiKey_Enter);
  driver.frames(2);
  CHECK(driver.take().empty());
  CHECK(driver.has("policy/device budget/refused"));
  // What was typed is there: without its last character it can be read.
  driver.press(ImGuiKey_End);
  driver.press(ImGuiKey_Backspace);
  driver.press(ImGuiKey_Enter);
  CHECK(driver.take() == budget("60%"));
  driver.frames(2);
  CHECK_FALSE(driver.has("policy/device budget/refused"));
  CHECK(typed(driver, kBatch, "4G").empty());
  CHECK(driver.has("policy/batch size/refused"));
  CHECK_FALSE(driver.has("policy/device budget/refused"));
}

TEST_CASE("A refused text stays while another field is used, and Escape takes it back",
          "[fields]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.control_click(kBudget);
  driver.type("much");
  driver.click("policy/mode");  // leaves the field, and opens a list
  driver.press(ImGuiKey_Escape);
  CHECK(driver.take().empty());
  CHECK(driver.has("policy/device budget/refused"));
  driver.click(kBudget);
  driver.press(ImGuiKey_Escape);
  driver.frames(2);
  CHECK_FALSE(driver.has("policy/device budget/refused"));
  driver.drag(kBudget, 20, 0);
  CHECK_FALSE(driver.take().empty());
}

TEST_CASE("A field that is left as it was asks for nothing, one that was changed for its text",
          "[fields]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.control_click(kBatch);
  driver.press(ImGuiKey_Enter);
  driver.control_click(kBatch);
  driver.type("7");
  driver.press(ImGuiKey_Escape);
  driver.frames(2);
  CHECK(driver.take().empty());
  driver.control_click(kBatch);
  driver.type("64");
  driver.click("policy/mode");
  CHECK(driver.take() == Intents{{"graph.batch-size", {"64"}}});
}

TEST_CASE("Words of sliders can be typed, too", "[fields]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK(typed(driver, "policy/swapout threshold", "12") ==
        Intents{{"policy.set", {"swapout-threshold", "12"}}});
  CHECK(typed(driver, "policy/swapout threshold", "Auto") ==
        Intents{{"policy.set", {"swapout-threshold", "-1"}}});
  CHECK(typed(driver, "policy/swapout threshold", "many").empty());
  CHECK(driver.has("policy/swapout threshold/refused"));
}

TEST_CASE("A batch that the file leaves open is said to be assumed, in the result, too",
          "[fields]") {
  const auto open = fixture("assets/samples/tutorial_mnist.meta", lms2(50, 3, 2));
  Driver driver(open->model, 1400, 2400);
  CHECK(driver.has("result/batch"));
  const auto given = tutorial();
  CHECK_FALSE(Driver(given->model, 1400, 2400).has("result/batch"));
}

TEST_CASE("The list of devices is labelled device, not link", "[fields]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  CHECK_FALSE(driver.has("policy/link"));
  driver.take();
  driver.click("policy/device");
  driver.click("policy/device/v100");
  CHECK(driver.take() == Intents{{"profile.set", {"v100"}}});
}

}  // namespace tideline::gui
