#include "render/model/log_histograms.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "app/engine/log_contents.h"
#include "tests/support/made_summaries.h"
#include "tests/support/read_event_log.h"
#include "tests/support/temporary_folder.h"

namespace tideline::ui {
namespace {

// A tag with `count` histograms of `buckets` buckets, and one of them without its counts.
std::shared_ptr<const LogContents> histograms_of(int count, int buckets, bool has_damage = false) {
  const test::TemporaryFolder folder;
  std::ofstream file(folder.file("tfevents"), std::ios::binary);
  for (int step = 0; step < count; ++step) {
    std::vector<double> limits;
    std::vector<double> counts;
    for (int i = 0; i < buckets; ++i) {
      limits.push_back(i + 1);
      counts.push_back(1 + (i + step) % 7);
    }
    if (has_damage && step == 1) limits.resize(1);
    const std::string histogram = test::histogram_of(0, buckets, limits, counts);
    file << test::summary_record(
        step, test::summary_value_of("weights", test::bytes_field(5, histogram)), step);
  }
  file.close();
  Progress silent;
  auto log = test::read_event_log(folder.file(""), events::AtDamage::kStop, silent);
  REQUIRE(log);
  REQUIRE(log->series().size() == 1);
  REQUIRE(log->series()[0].kind == events::SeriesKind::kHistogram);
  return app::make_log_contents("/log", std::make_shared<const events::EventLog>(*std::move(log)));
}

}  // namespace

TEST_CASE("A chart of many histograms shows evenly spread ones, and says of how many", "[model]") {
  const auto log = histograms_of(500, 10);
  LogHistograms histograms;
  histograms.update(log, 1);
  const render::RidgeChart* chart = histograms.ridges(0, {}, 400, 300, 15);
  REQUIRE(chart != nullptr);
  CHECK(chart->rows == 500);
  CHECK(chart->ridges.size() <= 60);
  CHECK(chart->ridges.front().step == 0);
  CHECK(chart->ridges.back().step == 499);
  CHECK(histograms.ridges(0, {}, 400, 300, 15) == chart);  // it is kept
}

TEST_CASE("Bands of a zoomed axis show the visible steps and a neighbour on each side", "[model]") {
  const auto log = histograms_of(500, 10);
  LogHistograms histograms;
  histograms.update(log, 1);
  render::ScalarLook look;
  look.visible = {100, 120};
  const render::BandChart* chart = histograms.bands(0, look, 400, 300, 15);
  REQUIRE(chart != nullptr);
  CHECK(chart->columns.front().step == 99);
  CHECK(chart->columns.back().step == 121);
  CHECK(chart->columns.size() == 23);
}

TEST_CASE("A damaged histogram is counted, and the others are shown", "[model]") {
  const auto log = histograms_of(3, 10, true);
  LogHistograms histograms;
  histograms.update(log, 1);
  const render::RidgeChart* chart = histograms.ridges(0, {}, 400, 300, 15);
  REQUIRE(chart != nullptr);
  CHECK(chart->unreadable == 1);
  CHECK(chart->ridges.size() == 2);
}

TEST_CASE("Of histograms with many buckets a chart shows fewer", "[model]") {
  const auto log = histograms_of(60, 10'000);  // 160 kB each
  LogHistograms histograms;
  histograms.update(log, 1);
  const render::RidgeChart* chart = histograms.ridges(0, {}, 400, 300, 15);
  REQUIRE(chart != nullptr);
  CHECK(chart->rows == 60);
  CHECK(chart->ridges.size() < 20);
  CHECK(chart->ridges.front().step == 0);
  CHECK(chart->ridges.back().step == 59);
}

TEST_CASE("A frame decodes only so much, and goes on in the next one", "[model]") {
  const auto log = histograms_of(60, 3000);
  LogHistograms histograms;
  histograms.update(log, 1);
  REQUIRE(histograms.ridges(0, {}, 400, 300, 15) != nullptr);  // 180 000 buckets
  CHECK(histograms.bands(0, {}, 400, 300, 15) == nullptr);
  CHECK(histograms.is_busy());
  histograms.update(log, 1);
  CHECK_FALSE(histograms.is_busy());
  CHECK(histograms.bands(0, {}, 400, 300, 15) != nullptr);
  histograms.update(nullptr, 2);
  CHECK_FALSE(histograms.is_busy());
}

}  // namespace tideline::ui
