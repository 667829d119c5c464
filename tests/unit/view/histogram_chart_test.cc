#include "render/view/histogram_chart.h"

#include <catch2/catch.hpp>
#include <limits>

#include "render/view/svg_canvas.h"

namespace tideline::render {
namespace {

// Steps 0, 10, 20, ...: all counts in a bucket that moves to the right.
std::vector<LoggedHistogram> moving(int count) {
  std::vector<LoggedHistogram> histograms;
  for (int i = 0; i < count; ++i) {
    const double left = i;
    histograms.push_back({static_cast<std::size_t>(i),
                          std::int64_t{10} * i,
                          1000.0 + i,
                          {{left, left + 1, 100}, {left + 1, left + 2, 100}}});
  }
  return histograms;
}

}  // namespace

TEST_CASE("rows are spread evenly, with the first and the last", "[view]") {
  CHECK(spread_rows(0, 5).empty());
  CHECK(spread_rows(3, 5) == std::vector<std::size_t>{0, 1, 2});
  CHECK(spread_rows(100, 3) == std::vector<std::size_t>{0, 49, 99});
  CHECK(spread_rows(100, 1) == std::vector<std::size_t>{99});
}

TEST_CASE("ridges stand one behind the other, the newest at the bottom", "[view]") {
  const RidgeChart chart = layout_ridges(moving(10), {}, 400, 300, 15);
  REQUIRE(chart.ridges.size() == 10);
  CHECK(chart.x.first == 0);
  CHECK(chart.x.last == 11);
  for (std::size_t i = 1; i < 10; ++i) {
    CHECK(chart.ridges[i].base_px > chart.ridges[i - 1].base_px);
  }
  CHECK(chart.ridges.back().base_px == Approx(chart.plot.y1));
  for (const RidgeChart::Ridge& ridge : chart.ridges) {
    double sum = 0;
    for (const double count : ridge.counts) sum += count;
    CHECK(sum == Approx(200));
    for (const Point point : ridge.points) CHECK(point.y >= chart.plot.y0 - 0.01F);
  }
  const RidgeChart flat = layout_ridges(moving(10), {.is_offset = false}, 400, 300, 15);
  CHECK(flat.ridges.front().base_px == flat.ridges.back().base_px);
}

TEST_CASE("the foremost ridge that covers the mouse is hit, and says its counts", "[view]") {
  const RidgeChart chart = layout_ridges(moving(3), {}, 400, 300, 15);
  const RidgeChart::Ridge& last = chart.ridges.back();
  const std::size_t bin = last.counts.size() - 2;  // where only the last one has counts
  const Point inside = {last.points[bin + 1].x, last.base_px - 1};
  const auto hit = hit_ridges(chart, inside);
  REQUIRE(hit);
  CHECK(hit->ridge == 2);
  CHECK(hit->bin == bin);
  CHECK(ridge_hit_text(chart, *hit).starts_with("step 20  "));
  CHECK_FALSE(hit_ridges(chart, {1, 1}));
  CHECK_FALSE(hit_ridges(layout_ridges({}, {}, 400, 300, 15), {200, 100}));
}

TEST_CASE("bands have the percentiles of each step, and the nearest is hit", "[view]") {
  ScalarLook look;
  const BandChart chart = layout_bands(moving(5), look, 1000, 400, 300, 15);
  REQUIRE(chart.columns.size() == 5);
  CHECK(chart.columns[3].at == 30);
  CHECK(chart.columns[3].values.front() == 3);
  CHECK(chart.columns[3].values[4] == 4);
  CHECK(chart.columns[3].values.back() == 5);
  const auto hit = hit_bands(chart, chart.x.px(31));
  REQUIRE(hit);
  CHECK(*hit == 3);
  const auto lines = band_hit_text(chart, *hit);
  REQUIRE(lines.size() == 10);
  CHECK(lines[0] == "step 30");
  CHECK(lines[1] == "largest 5");
  CHECK(lines[5] == "median 4");
  look.axis = LogAxis::kRelative;
  const BandChart relative = layout_bands(moving(5), look, 1000, 400, 300, 15);
  CHECK(relative.columns[3].at == 3);
  CHECK(band_hit_text(relative, 3)[0] == "step 30  3 s");
}

TEST_CASE("the vertical axis is that of the visible steps", "[view]") {
  ScalarLook look;
  look.visible = {0, 10};
  const BandChart chart = layout_bands(moving(50), look, 0, 400, 300, 15);
  CHECK(chart.x.last == 10);
  CHECK(chart.y.last == 3);
}

TEST_CASE("histograms that are empty or not finite leave charts that can be drawn", "[view]") {
  const double infinite = std::numeric_limits<double>::infinity();
  std::vector<LoggedHistogram> odd;
  odd.push_back({0, 0, 0, {}});
  odd.push_back({1, 1, 1, {{-infinite, infinite, 3}}});
  odd.push_back({2, 2, 2, {{1, 1, 5}}});
  odd.push_back({3, 3, 3, {{-1e308, 1e308, 5}}});
  RidgeChart ridges = layout_ridges(odd, {}, 300, 200, 15);
  CHECK(ridges.ridges.size() == 4);
  const BandChart bands = layout_bands(odd, {}, 0, 300, 200, 15);
  CHECK(bands.columns.size() == 3);
  CHECK(bands.empty == 1);
  CHECK(bands.unreadable == 0);
  CHECK(bands.columns[0].is_blank);
  SvgCanvas canvas(300, 200, 1, {});
  draw_ridges(canvas, palette(ThemeKind::kDark), ridges, {0, 0}, "odd", {200, 0, 0});
  draw_bands(canvas, palette(ThemeKind::kDark), bands, {0, 0}, "odd", {200, 0, 0});
  CHECK(canvas.finish().find("nan") == std::string::npos);
}

TEST_CASE("NaN in a histogram is marked and not drawn as zero", "[view]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto histograms = moving(5);
  histograms[2].buckets = {{nan, nan, 0}, {nan, nan, 0}};  // as TensorFlow 2 writes them
  histograms[3].buckets.push_back({nan, nan, 7});          // beside finite values
  const BandChart bands = layout_bands(histograms, {}, 0, 400, 300, 15);
  REQUIRE(bands.columns.size() == 5);
  CHECK(bands.columns[2].is_blank);
  CHECK(bands.columns[2].has_not_finite);
  CHECK_FALSE(bands.columns[3].is_blank);
  CHECK(bands.columns[3].has_not_finite);
  CHECK_FALSE(bands.columns[1].has_not_finite);
  CHECK(band_hit_text(bands, 2) ==
        std::vector<std::string>{"step 20", "values that are NaN or infinite"});
  CHECK(band_hit_text(bands, 3).size() == 11);
  const RidgeChart ridges = layout_ridges(histograms, {}, 400, 300, 15);
  REQUIRE(ridges.ridges.size() == 5);
  CHECK(ridges.ridges[2].is_blank);
  CHECK(ridges.ridges[3].has_not_finite);
  CHECK_FALSE(ridges.ridges[3].is_blank);
  CHECK(ridges.x.last == 6);
  CHECK(ridge_hit_text(ridges, {2, 0}) == "step 20  values that are NaN or infinite");
  const auto drawn = [](const auto& draw) {
    SvgCanvas canvas(400, 300, 1, {});
    draw(canvas);
    return canvas.finish();
  };
  const std::string of_bands = drawn([&](Canvas& canvas) {
    draw_bands(canvas, palette(ThemeKind::kDark), bands, {0, 0}, "w", {200, 0, 0});
  });
  CHECK(of_bands.find("2 with NaN or infinite values") != std::string::npos);
  CHECK(of_bands.find("nan,") == std::string::npos);
  const std::string of_ridges = drawn([&](Canvas& canvas) {
    draw_ridges(canvas, palette(ThemeKind::kDark), ridges, {0, 0}, "w", {200, 0, 0});
  });
  CHECK(of_ridges.find("2 with NaN or infinite values") != std::string::npos);
}

TEST_CASE("bands of writers that take turns are by time over time, and broken at restarts",
          "[view]") {
  auto histograms = moving(4);
  histograms[1].wall_time = 1005;  // of a writer that is behind
  histograms[3].stretch = 1;
  ScalarLook look;
  look.axis = LogAxis::kRelative;
  const BandChart chart = layout_bands(histograms, look, 1000, 400, 300, 15);
  std::vector<double> places;
  for (const BandChart::Column& column : chart.columns) places.push_back(column.at);
  CHECK(places == std::vector<double>{0, 2, 5, 3});
}

}  // namespace tideline::render
