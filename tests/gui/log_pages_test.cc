#include <catch2/catch.hpp>

#include "core/events/event_log.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

std::uint32_t series_of(const Fixture& fixture, std::string_view run, std::string_view tag) {
  const events::EventLog& log = *fixture.model.log->events;
  for (std::uint32_t i = 0; i < log.series().size(); ++i) {
    const events::Series& series = log.series()[i];
    if (log.runs()[series.run] == run && series.tag == tag) return i;
  }
  FAIL("no series " << run << " " << tag);
  return 0;
}

}  // namespace

TEST_CASE("Histograms are shown by run and tag, with the counts below the mouse", "[log]") {
  const auto fixture = logged_pages();
  Driver driver(fixture->model);
  driver.click("centre/Histograms");
  CHECK(driver.view.log.page == ui::LogPage::kHistograms);
  driver.frames(3);
  REQUIRE(driver.has("histograms/train/dense/kernel"));
  REQUIRE(driver.has("histograms/eval/dense/kernel"));
  driver.move_to(middle(driver.rect("histograms/train/dense/kernel")));
  driver.frames(2);
  CHECK(driver.view.tooltip.starts_with("step "));
  CHECK(driver.view.tooltip.find(" to ") != std::string::npos);
  driver.click("log side/charts/one behind the other");
  CHECK_FALSE(driver.view.log.histograms.is_offset);
  driver.click("log side/runs/eval");
  driver.frames(2);
  CHECK_FALSE(driver.has("histograms/eval/dense/kernel"));
}

TEST_CASE("Distributions are shown over the axis of the scalars, and zoom with it", "[log]") {
  const auto fixture = logged_pages();
  Driver driver(fixture->model);
  driver.click("centre/Distributions");
  driver.frames(3);
  driver.move_to(middle(driver.rect("distributions/train/dense/kernel")));
  driver.frames(2);
  CHECK(driver.view.tooltip.starts_with("step "));
  CHECK(driver.view.tooltip.find("median ") != std::string::npos);
  driver.drag("distributions/train/dense/kernel", 60, 0);
  CHECK_FALSE(driver.view.log.look.visible.empty());
}

TEST_CASE("Images ask for what is visible, and a slider chooses the step", "[log]") {
  const auto fixture = logged_pages();
  const std::uint32_t train = series_of(*fixture, "train", "digits");
  Driver driver(fixture->model);
  CHECK(driver.view.log.wanted_images.empty());
  driver.click("centre/Images");
  driver.frames(3);
  REQUIRE(driver.has("images/train/digits/picture"));
  const ui::LogRowKey newest = {train, 20};
  const auto& wanted = driver.view.log.wanted_images;
  CHECK(wanted.size() == 2);
  CHECK(std::find(wanted.begin(), wanted.end(), newest) != wanted.end());
  // The damaged image of the other run is a message in its card.
  CHECK_FALSE(driver.has("images/eval/digits/picture"));
  driver.click("images/train/digits/step");  // its middle
  driver.frames(2);
  REQUIRE(driver.view.log.rows.contains(train));
  CHECK(driver.view.log.rows.at(train) == 10);
  driver.click("log side/charts/Newest steps");
  CHECK(driver.view.log.rows.empty());
  driver.view.log.step = 55;
  driver.frames(2);
  CHECK(driver.view.log.wanted_images.at(1).row == 5);
  driver.click("centre/Text");
  driver.frames(2);
  CHECK(driver.view.log.wanted_images.empty());
}

TEST_CASE("An image that is not there yet is waited for without a picture", "[log]") {
  const auto fixture = logged_pages();
  fixture->model.log_images = nullptr;
  Driver driver(fixture->model);
  driver.view.log.page = ui::LogPage::kImages;
  driver.frames(3);
  CHECK_FALSE(driver.has("images/train/digits/picture"));
  CHECK(driver.view.log.wanted_images.size() == 2);
}

TEST_CASE("Texts are listed by step, and one of them is shown whole", "[log]") {
  const auto fixture = logged_pages();
  const std::uint32_t notes = series_of(*fixture, "train", "notes");
  Driver driver(fixture->model);
  driver.click("centre/Text");
  driver.frames(3);
  CHECK(driver.view.tooltip == "epoch 10: \\x1b[31mlr\\x1b[0m = 0.01");
  driver.click("texts/train/notes/180");
  driver.frames(2);
  CHECK(driver.view.log.rows.at(notes) == 18);
  CHECK(driver.view.tooltip == "epoch 9: \\x1b[31mlr\\x1b[0m = 0.01");
}

TEST_CASE("A traced step of the log is opened by a click", "[log]") {
  const auto fixture = logged_pages();
  Driver driver(fixture->model);
  driver.click("centre/Graphs");
  driver.frames(2);
  driver.take();
  driver.click("log/train step100");
  CHECK(driver.take() == ui::Intents{{"log.open-trace", {"train", "step100"}}});
}

}  // namespace tideline::gui
