#include <catch2/catch.hpp>

#include "render/model/result_lines.h"
#include "tests/gui/support/driver.h"
#include "tests/gui/support/fixture.h"

namespace tideline::gui {
namespace {

using render::NumberRange;

}  // namespace

TEST_CASE("An open log shows a chart for each tag of scalars, and no panels of graphs", "[log]") {
  const auto fixture = logged_training();
  Driver driver(fixture->model);
  driver.frames(3);
  CHECK(driver.has("scalars/learning_rate"));
  CHECK(driver.has("scalars/loss/l2"));
  CHECK(driver.has("scalars/loss/total"));
  CHECK_FALSE(driver.has("policy/mode"));
}

TEST_CASE("The status bar says that a log is open", "[log]") {
  CHECK(ui::open_state_text(logged_training()->model) == "log of 2 runs");
  CHECK(ui::open_state_text(empty_fixture()->model) == "nothing open");
}

TEST_CASE("The list of graphs of a log is a click away", "[log]") {
  const auto fixture = logged_pages();
  Driver driver(fixture->model);
  driver.frames(2);
  driver.click("log side/1 graph");
  CHECK(driver.view.log.page == ui::LogPage::kGraphs);
  driver.frames(2);
  driver.click("log/train __run_graph__");
  CHECK(driver.take() == ui::Intents{{"log.open-graph", {"train", "__run_graph__"}}});
}

TEST_CASE("Hyperparameters are a table, of the runs that are shown", "[log]") {
  const auto fixture = opened_log("hparams");
  Driver driver(fixture->model);
  driver.click("centre/HParams");
  CHECK(driver.view.log.page == ui::LogPage::kHparams);
  driver.frames(2);
  CHECK(driver.has("hparams/run0"));
  CHECK(driver.has("hparams/run1"));
  driver.click("log side/runs/run1");
  driver.frames(2);
  CHECK(driver.has("hparams/run0"));
  CHECK_FALSE(driver.has("hparams/run1"));
}

TEST_CASE("A run that is unticked, or does not match the filter, is not drawn", "[log]") {
  const auto fixture = logged_training();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.click("log side/runs/train");
  CHECK(driver.view.log.hidden_runs == std::vector<std::string>{"train"});
  driver.frames(2);
  CHECK_FALSE(driver.has("scalars/learning_rate"));
  driver.click("log side/runs/train");
  CHECK(driver.view.log.hidden_runs.empty());
  driver.click("log side/runs/None");
  driver.frames(2);
  CHECK_FALSE(driver.has("scalars/loss/total"));
  driver.click("log side/runs/All");
  driver.view.log.tag_filter = "^loss";
  driver.frames(2);
  CHECK(driver.has("scalars/loss/total"));
  CHECK_FALSE(driver.has("scalars/learning_rate"));
}

TEST_CASE("Dragging over a chart zooms all charts, and a double click shows all again", "[log]") {
  const auto fixture = logged_training();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.drag("scalars/loss/total", 60, 0);
  const NumberRange zoomed = driver.view.log.look.visible;
  REQUIRE_FALSE(zoomed.empty());
  CHECK(zoomed.first > 50);
  CHECK(zoomed.last < 300);
  const render::Point at = middle(driver.rect("scalars/loss/l2"));
  driver.wheel(at, 2, true);
  const NumberRange closer = driver.view.log.look.visible;
  CHECK(closer.last - closer.first < zoomed.last - zoomed.first);
  driver.double_click(at);
  driver.frames(1);
  CHECK(driver.view.log.look.visible.empty());
}

TEST_CASE("A right click enlarges a chart, and another one brings all of them back", "[log]") {
  const auto fixture = logged_training();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.right_click("scalars/loss/total");
  CHECK(driver.take() == ui::Intents{{"log.enlarge", {"loss/total"}}});
  driver.view.log.enlarged = "loss/total";
  driver.view.log.chart_path = "total.csv";
  driver.frames(2);
  CHECK_FALSE(driver.has("scalars/loss/l2"));
  const render::Rect chart = driver.rect("scalars/loss/total");
  CHECK(chart.width() > 600);
  CHECK(chart.height() > 300);
  driver.click("scalars/Write");
  CHECK(driver.take() == ui::Intents{{"log.write-chart", {"total.csv"}}});
  driver.click("scalars/replace");
  driver.click("scalars/Write");
  CHECK(driver.take() == ui::Intents{{"log.write-chart", {"total.csv", "force"}}});
  driver.click("scalars/All charts");
  CHECK(driver.take() == ui::Intents{{"log.enlarge", {}}});
  driver.view.log.enlarged.clear();
  driver.click("log side/charts/full width");
  driver.frames(2);
  CHECK(driver.rect("scalars/loss/total").width() > 600);
  CHECK(driver.rect("scalars/loss/total").y0 >= driver.rect("scalars/loss/l2").y1);
  driver.click("log side/charts/no outliers");
  CHECK(driver.view.log.look.leaves_out_outliers);
}

TEST_CASE("Under the mouse are the values of all runs at the nearest step", "[log]") {
  const auto fixture = logged_training();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.move_to(middle(driver.rect("scalars/loss/total")));
  driver.frames(2);
  CHECK(driver.view.tooltip.starts_with("1 eval  step "));
  CHECK(driver.view.tooltip.find("smoothed") != std::string::npos);
}

TEST_CASE("Axis and smoothing are chosen at the side, graphs in the other page", "[log]") {
  const auto fixture = logged_training();
  Driver driver(fixture->model);
  driver.frames(3);
  driver.click("log side/charts/log y");
  CHECK(driver.view.log.look.is_log_y);
  driver.click("log side/charts/axis");
  driver.click("log side/charts/axis/wall time");
  CHECK(driver.view.log.look.axis == render::LogAxis::kWallTime);
  driver.click("centre/Graphs");
  driver.frames(2);
  CHECK_FALSE(driver.has("scalars/loss/total"));
  driver.take();
  driver.click("log/train __run_graph__");
  CHECK(driver.take() == ui::Intents{{"log.open-graph", {"train", "__run_graph__"}}});
}

}  // namespace tideline::gui
