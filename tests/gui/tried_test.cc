#include <catch2/catch.hpp>

#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using ui::Intents;

std::unique_ptr<Fixture> searched_residual() {
  Policy policy = lms2(-1, -1, -1);
  policy.budget = MemoryBudget{};
  policy.budget->device = Bytes{500} << 20U;
  return fixture("assets/samples/residual.meta", policy, 4096);
}

}  // namespace

TEST_CASE("What the search tried is a tab, and a click on a try takes it", "[panels]") {
  const auto fixture = searched_residual();
  REQUIRE(fixture->model.scene->tried != nullptr);
  const auto& trials = fixture->model.scene->tried->found.trials;
  REQUIRE(trials.size() > 3);
  Driver driver(fixture->model, 1400, 1000);
  CHECK(driver.has("centre/Search"));
  driver.click("centre/Search");
  driver.frames(2);
  CHECK(driver.view.tab == ui::Tab::kTried);
  driver.take();
  // Of several at one place the first.
  const std::size_t last = trials.size() - 1;
  std::size_t first = 0;
  while (trials[first].device_peak != trials[last].device_peak ||
         trials[first].step_ns != trials[last].step_ns) {
    ++first;
  }
  driver.click(fmt::format("tried/try {}", last + 1));
  CHECK(driver.take() == Intents{{"policy.take-tried", {std::to_string(first + 1)}}});
  CHECK(driver.view.tooltip.find(fmt::format("try {}: threshold", first + 1)) == 0);
}

TEST_CASE("The way to what was tried stands below the button that searches", "[panels]") {
  const auto fixture = searched_residual();
  const std::size_t count = fixture->model.scene->tried->found.trials.size();
  Driver driver(fixture->model, 1400, 1000);
  driver.click(fmt::format("policy/{} settings were tried", count));
  CHECK(driver.take() == Intents{{"view.tab", {"tried"}}});
  const auto by_hand = tutorial();
  Driver other(by_hand->model);
  CHECK_FALSE(other.has("centre/Search"));
}

TEST_CASE("Where nothing that was tried fits, the chart still shows it", "[panels]") {
  const auto fixture = searched_residual();
  const auto tried = fixture->model.tried;
  REQUIRE(tried);
  // As after a search without a result: the scene is of the plan before.
  fixture->model.scene->tried = nullptr;
  fixture->model.scene->trial.reset();
  fixture->model.policy_error = "nothing fits";
  Driver driver(fixture->model);
  driver.frames(2);
  driver.click("centre/Search");
  driver.frames(2);
  CHECK(driver.has("tried/try 1"));
  driver.take();
  driver.click("tried/try 1");
  CHECK(driver.take() == Intents{{"policy.take-tried", {"1"}}});
}

}  // namespace tideline::gui
