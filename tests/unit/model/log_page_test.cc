#include "render/model/log_page.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "app/engine/log_contents.h"
#include "render/view/svg_canvas.h"
#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::ui {
namespace {

// Run "a" with "loss" and "rate", run "b" with "loss" alone.
std::shared_ptr<const LogContents> log_of_two() {
  const test::TemporaryFolder folder;
  for (const char* run : {"a", "b"}) {
    std::filesystem::create_directories(folder.file(run));
    std::ofstream file(folder.file(std::string(run) + "/tfevents"), std::ios::binary);
    for (int step = 0; step < 3; ++step) {
      std::string values = test::simple_value("loss", static_cast<float>(step));
      if (run[0] == 'a') values += test::simple_value("rate", 1);
      file << test::summary_record(step, values);
    }
  }
  Progress silent;
  auto log = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(log);
  return app::make_log_contents("/log", std::make_shared<const events::EventLog>(*std::move(log)));
}

}  // namespace

TEST_CASE("A tag is found by its name while a run that is shown has it", "[log_page]") {
  const auto log = log_of_two();
  LogCharts charts;
  LogView view;
  charts.update(log, view);
  const auto rate = shown_tag(charts, *log, events::SeriesKind::kScalar, "rate");
  REQUIRE(rate);
  CHECK(log->tags[*rate].name == "rate");
  CHECK_FALSE(shown_tag(charts, *log, events::SeriesKind::kScalar, "rat"));
  CHECK_FALSE(shown_tag(charts, *log, events::SeriesKind::kHistogram, "rate"));
  view.hidden_runs = {"a"};
  charts.update(log, view);
  CHECK_FALSE(shown_tag(charts, *log, events::SeriesKind::kScalar, "rate"));
  CHECK(shown_tag(charts, *log, events::SeriesKind::kScalar, "loss"));
}

TEST_CASE("An enlarged chart has its title and the names of its runs", "[log_page]") {
  const auto log = log_of_two();
  LogCharts charts;
  charts.update(log, {});
  const auto loss = shown_tag(charts, *log, events::SeriesKind::kScalar, "loss");
  REQUIRE(loss);
  render::SvgCanvas canvas(600, 400, 1, {});
  draw_enlarged_chart(canvas, render::palette(render::ThemeKind::kLight), charts.curves(*loss),
                      "the loss", {}, {0, 0, 600, 400}, 15);
  const std::string svg = canvas.finish();
  CHECK(svg.find("the loss</text>") != std::string::npos);
  CHECK(svg.find(">1 a</text>") != std::string::npos);
  CHECK(svg.find(">2 b</text>") != std::string::npos);
}

}  // namespace tideline::ui
