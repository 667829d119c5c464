// Windows of every size: sides become icons, and the result always shows.
#include <catch2/catch.hpp>

#include "core/rewrite/policy_parameters.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;
using ui::Side;

struct Size {
  float width, height;
};
constexpr Size kSizes[] = {{1600, 1000}, {1280, 720}, {800, 600}};
constexpr float kFonts[] = {15, 16, 24, 32};

}  // namespace

TEST_CASE("In every window the result is a line of constant height, and the table is in reach",
          "[sides]") {
  for (const Size size : kSizes) {
    for (const float font : kFonts) {
      INFO(size.width << " x " << size.height << ", font " << font);
      const auto fixture = tutorial();
      Driver driver(fixture->model, size.width, size.height);
      driver.view.font_px = font;
      driver.frames(2);
      const render::Rect line = driver.rect("result line/line");
      CHECK(line.x0 == 0);
      CHECK(line.x1 == size.width);
      fixture->model.policy_error = "there is no such plan";
      driver.frames(2);
      CHECK(driver.rect("result line/line").height() == line.height());
      fixture->model.policy_error.clear();
      driver.frames(2);
      const render::Rect chart = driver.rect("levels/canvas");
      CHECK(chart.width() > 0.3F * size.width);
      if (!driver.has("swaps/filter")) driver.click("right icons/Swaps");
      driver.frames(2);
      REQUIRE(driver.has("swaps/filter"));
      // A dozen letters of a name, with some room around them.
      const std::string first = fixture->model.swaps.front().name;
      CHECK(driver.has("swaps/headings/tensor"));
      CHECK(driver.rect("swaps/headings/tensor").width() > 12 * font * 0.45F);
      if (!driver.has("policy/mode")) driver.click("left icons/Swap policy");
      driver.frames(2);
      CHECK(driver.has("policy/mode"));
    }
  }
}

TEST_CASE("A side without room is shown in front of the centre, and goes with its icon",
          "[sides]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 800, 600);
  driver.frames(2);
  CHECK(driver.has("policy/mode"));
  CHECK_FALSE(driver.has("swaps/filter"));
  driver.click("right icons/Inspector");
  driver.frames(2);
  CHECK(driver.view.open_side == Side::kRight);
  CHECK(driver.has("swaps/filter"));
  driver.click("right icons/Inspector");
  driver.frames(2);
  CHECK_FALSE(driver.has("swaps/filter"));
  driver.view.show_right = false;
  driver.frames(2);
  CHECK_FALSE(driver.has("right icons/Inspector"));
}

TEST_CASE("A window that grows has its sides again", "[sides]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 800, 600);
  driver.frames(2);
  driver.click("right icons/Swaps");
  driver.frames(2);
  ImGui::GetIO().DisplaySize = {1600, 1000};
  driver.frames(2);
  CHECK(driver.view.open_side == Side::kNone);
  CHECK(driver.has("swaps/filter"));
  CHECK_FALSE(driver.has("right icons/Swaps"));
}

TEST_CASE("The right button opens the menu of a row, an op and a scope", "[sides]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.frames(2);
  const std::string name = fixture->model.swaps.front().name;
  driver.right_click("swaps/" + name);
  driver.frames(2);
  driver.click("context/Keep on device");
  CHECK(driver.take() == Intents{{"tensor.keep", {name}}});
  driver.right_click("swaps/" + name);
  driver.frames(2);
  driver.click("context/Fit in the view");
  CHECK(driver.take() == Intents{{"select.op", {name}}, {"view.fit-selection"}});
  driver.right_click("scopes/conv1");
  driver.frames(2);
  CHECK_FALSE(driver.has("context/Keep on device"));
  driver.click("context/Never swap the scope");
  CHECK(driver.take() == Intents{{"scope.set", {"conv1", "never"}}});
  driver.right_click("scopes/conv1");
  driver.frames(2);
  driver.press(ImGuiKey_Escape);
  driver.frames(2);
  CHECK_FALSE(driver.has("context/Copy name"));
}

TEST_CASE("A click in the memory view pins the place, and Peak goes back to it", "[sides]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.view.tab = ui::Tab::kMemory;
  driver.frames(3);
  CHECK_FALSE(driver.view.pinned);
  const render::Rect chart = driver.rect("memory/canvas");
  driver.click({chart.x0 + chart.width() * 0.3F, chart.y0 + chart.height() * 0.5F});
  REQUIRE(driver.view.pinned);
  const double pinned = *driver.view.pinned;
  driver.move_to({chart.x0 + chart.width() * 0.8F, chart.y0 + chart.height() * 0.5F});
  driver.frames(2);
  CHECK(*driver.view.pinned == pinned);
  driver.click("live/Peak");
  driver.frames(1);
  CHECK_FALSE(driver.view.pinned);
}

TEST_CASE("A click on what the step waits sorts the swaps, the latest first", "[sides]") {
  const auto fixture = tutorial();
  REQUIRE(fixture->model.swaps[3].wait_ns > 0);
  const std::string late = fixture->model.swaps[3].name;
  const std::string first = fixture->model.swaps[0].name;
  REQUIRE(late != first);
  for (const Size size : {kSizes[0], kSizes[2]}) {
    INFO(size.width);
    Driver driver(fixture->model, size.width, size.height);
    driver.view.bottom_share = 0.12F;
    driver.frames(3);
    const render::Rect chart = driver.rect("levels/canvas");
    const auto is_bar = [&] { return driver.view.tooltip.find("and waits") != std::string::npos; };
    const float x = chart.x1 - 2 * driver.view.font_px;
    float y = chart.y0;
    for (; y < chart.y1 && !is_bar(); y += 4) driver.move_to({x, y});
    REQUIRE(is_bar());
    driver.click({x, y - 4});
    driver.frames(3);
    CHECK(driver.take() == Intents{});
    REQUIRE(driver.has("swaps/" + late));
    CHECK(driver.rect("swaps/" + late).y0 < driver.rect("swaps/" + first).y0);
    CHECK(driver.view.swap_sort_column == static_cast<int>(ui::SwapColumn::kSlack));
    driver.click("swaps/headings/size");
    driver.frames(2);
    CHECK(driver.view.swap_sort_column == static_cast<int>(ui::SwapColumn::kBytes));
  }
}

TEST_CASE("More parameters scroll by themselves: the scopes stay in reach", "[sides]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model, 1400, 900);
  driver.frames(2);
  driver.click("policy/More parameters");
  driver.frames(3);
  REQUIRE(driver.has("headings/Scopes"));
  CHECK(driver.rect("headings/Scopes").y0 < 850);
}

TEST_CASE("Samples stand beside the first one, each with what it shows", "[sides]") {
  const auto fixture = empty_fixture();
  fixture->model.samples = {{"residual", "Residual net", "Swapping wins."},
                            {"loop", "LSTM with a loop", "Little is left."}};
  Driver driver(fixture->model);
  driver.frames(2);
  driver.click("welcome/samples/LSTM with a loop");
  CHECK(driver.take() == Intents{{"file.open-sample", {"loop"}}});
  driver.click("welcome/Open the sample");
  CHECK(driver.take() == Intents{{"file.open-sample"}});
}

TEST_CASE("The glossary explains a term where it stands", "[sides]") {
  const auto fixture = tutorial();
  Driver driver(fixture->model);
  driver.frames(2);
  driver.move_to(middle(driver.rect("headings/Scopes")));
  driver.frames(2);
  CHECK(driver.has("headings/Scopes/hint"));
}

TEST_CASE("Names of the file are picked, of a list several", "[sides]") {
  Policy policy;
  policy.rewriter = "replicate";
  set_value(policy, "devices", std::vector<std::string>{"/gpu:0", "/gpu:1"});
  set_value(policy, "split", std::vector<std::string>{"Placeholder", "Placeholder_1"});
  set_value(policy, "train-op", std::string("adam_optimizer/Adam"));
  const auto fixture = tideline::gui::fixture("assets/samples/tutorial_mnist.meta", policy, 100);
  fixture->model.picks = {
      {"loss/Mean:0"}, {"train", "adam_optimizer/Adam"}, {"Placeholder", "keep"}};
  Driver driver(fixture->model, 1400, 1400);
  driver.frames(2);
  driver.click("policy/pick train op");
  driver.frames(1);
  driver.click("policy/pick train op/train");
  CHECK(driver.take() == Intents{{"policy.set", {"train-op", "train"}}});
  driver.click("policy/pick split");
  driver.frames(1);
  driver.click("policy/pick split/keep");
  CHECK(driver.take() == Intents{{"policy.set", {"split", "Placeholder,Placeholder_1,keep"}}});
}

TEST_CASE("The runs of a cycle stand where swaps would", "[sides]") {
  const auto fixture = tutorial();
  fixture->model.runs = {{"forward", 900, 100, 0, 3}, {"section 2", 1200, 100, 3, 0}};
  Driver driver(fixture->model);
  driver.frames(2);
  CHECK(driver.has("cycle/section 2"));
  CHECK_FALSE(driver.has("swaps/filter"));
  driver.click("cycle/section 2");
  CHECK(driver.take() == Intents{{"view.tab", {"memory"}}, {"view.axis", {"step"}}});
}

}  // namespace tideline::gui
