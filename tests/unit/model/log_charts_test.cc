#include "render/model/log_charts.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "app/engine/log_contents.h"
#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::ui {
namespace {

using ContentsPtr = std::shared_ptr<const LogContents>;

// Runs a, b and c with `count` points of "loss"; b has "rate" as well.
ContentsPtr log_of(int count) {
  const test::TemporaryFolder folder;
  for (const char* run : {"a", "b", "c"}) {
    std::filesystem::create_directories(folder.file(run));
    std::ofstream file(folder.file(std::string(run) + "/tfevents"), std::ios::binary);
    for (int step = 0; step < count; ++step) {
      std::string values = test::simple_value("loss", static_cast<float>(step));
      if (run[0] == 'b') values += test::simple_value("train/rate", 1);
      file << test::summary_record(step, values);
    }
  }
  Progress silent;
  auto log = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(log);
  return app::make_log_contents("/log", std::make_shared<const events::EventLog>(*std::move(log)));
}

std::vector<std::string> names(const LogCharts& charts, const ContentsPtr& log) {
  std::vector<std::string> found;
  for (const std::uint32_t tag : charts.tags_of(events::SeriesKind::kScalar)) {
    found.push_back(log->tags[tag].name);
  }
  return found;
}

}  // namespace

TEST_CASE("Hiding a run takes away its curves, and tags that only it has; numbers stay") {
  const ContentsPtr log = log_of(3);
  LogCharts charts;
  LogView view;
  charts.update(log, view);
  CHECK(names(charts, log) == std::vector<std::string>{"loss", "train/rate"});
  REQUIRE(charts.curves(0).size() == 3);
  view.hidden_runs = {"b"};
  charts.update(log, view);
  CHECK(names(charts, log) == std::vector<std::string>{"loss"});
  const auto curves = charts.curves(0);
  REQUIRE(curves.size() == 2);
  CHECK(curves[0].number == 1);
  CHECK(curves[1].number == 3);
  CHECK(curves[1].run == "c");
  view.hidden_runs.clear();
  view.run_filter = "[ab]";
  view.tag_filter = "RATE";
  charts.update(log, view);
  CHECK(names(charts, log) == std::vector<std::string>{"train/rate"});
  CHECK_FALSE(charts.runs()[2].is_listed);
  charts.update(nullptr, view);
  CHECK(charts.runs().empty());
  CHECK(charts.tags_of(events::SeriesKind::kScalar).empty());
}

TEST_CASE("A chart is laid out once, and again when the log, the runs or the look are others") {
  const ContentsPtr log = log_of(3);
  LogCharts charts;
  LogView view;
  charts.update(log, view);
  const render::ScalarChart* first = charts.chart(0, view.look, 400, 200, 15);
  REQUIRE(first != nullptr);
  CHECK(first->lines.size() == 3);
  const render::Point* points = first->lines[0].smoothed.points.data();
  CHECK(charts.chart(0, view.look, 400, 200, 15)->lines[0].smoothed.points.data() == points);
  view.look.smoothing_0_1 = 0;
  CHECK(charts.chart(0, view.look, 400, 200, 15)->lines[0].raw.points.empty());
  view.hidden_runs = {"a", "b"};
  charts.update(log, view);
  CHECK(charts.chart(0, view.look, 400, 200, 15)->lines.size() == 1);
  const ContentsPtr grown = log_of(5);
  charts.update(grown, view);
  CHECK(charts.chart(0, view.look, 400, 200, 15)->points == 5);
}

TEST_CASE("A frame lays out so many points, and the charts that are left in later ones") {
  const ContentsPtr log = log_of(60'000);
  LogCharts charts;
  const LogView view;
  charts.update(log, view);
  CHECK(charts.chart(0, view.look, 400, 200, 15) != nullptr);
  CHECK_FALSE(charts.is_busy());
  CHECK(charts.chart(1, view.look, 400, 200, 15) == nullptr);
  CHECK(charts.is_busy());
  charts.update(log, view);
  CHECK(charts.chart(0, view.look, 400, 200, 15) != nullptr);
  CHECK(charts.chart(1, view.look, 400, 200, 15) != nullptr);
  CHECK_FALSE(charts.is_busy());
}

}  // namespace tideline::ui
