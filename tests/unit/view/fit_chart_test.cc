#include "render/view/fit_chart.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "render/view/picture.h"
#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

constexpr Bytes kGiB = Bytes{1} << 30U;

// Peaks of 0.1 GiB an example for the step as it is, of half of it with a rewriter, which takes
// twice the time; 16 GiB of budget.
FitCurve two_ways() {
  FitCurve curve;
  curve.budget = 16 * kGiB;
  curve.batch = 64;
  curve.lines = {{"as it is", {}}, {"LMS v2", {}}};
  for (const std::int64_t batch : {1, 16, 64, 156, 300}) {
    const Bytes peak = batch * kGiB / 10;
    curve.lines[0].points.push_back({batch, peak, 2e6, peak <= curve.budget});
    curve.lines[1].points.push_back({batch, peak / 2, 4e6, peak / 2 <= curve.budget});
  }
  return curve;
}

FitCurve four_ways() {
  FitCurve curve = two_ways();
  curve.lines.push_back(curve.lines[1]);
  curve.lines.back().title = "towers on 2 devices";
  curve.lines.push_back(curve.lines[0]);
  curve.lines.back().title = "LMS v1";
  return curve;
}

FitChart chart_of(const FitCurve& curve, float width = 1600, float height = 1000, float font = 15) {
  const test::RecordingCanvas measure;
  return layout_fit(curve, width, height, font, measure, "there is no curve");
}

bool is_inside(const Rect& outer, Point at) {
  return at.x >= outer.x0 && at.x <= outer.x1 && at.y >= outer.y0 && at.y <= outer.y1;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

const FitLabel* find_label(const FitChart& chart, std::string_view text) {
  const auto found = std::find_if(chart.labels.begin(), chart.labels.end(),
                                  [&](const FitLabel& label) { return label.text == text; });
  return found == chart.labels.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("the largest peak and the budget are inside the plot", "[view]") {
  FitCurve curve = two_ways();
  for (const Bytes budget : {16 * kGiB, 500 * kGiB, Bytes{1}}) {
    curve.budget = budget;
    const FitChart chart = chart_of(curve);
    REQUIRE(chart.budget_px);
    CHECK(*chart.budget_px > chart.peak.plot.y0);
    CHECK(*chart.budget_px <= chart.peak.plot.y1);
    for (const FitChart::Plot* plot : {&chart.peak, &chart.time}) {
      REQUIRE(plot->lines.size() == 2);
      for (const auto& line : plot->lines) {
        REQUIRE(line.size() == 5);
        for (const FitChart::Mark& mark : line) CHECK(is_inside(plot->plot, mark.at));
      }
    }
    // 30 GiB of 300 examples are the highest mark, twice as high above zero as 15.
    const float zero = chart.peak.y.px(0);
    CHECK(zero - chart.peak.lines[0][4].at.y ==
          Approx(2 * (zero - chart.peak.lines[1][4].at.y)).margin(0.1));
  }
}

TEST_CASE("both charts have the same places of batch sizes", "[view]") {
  const FitChart chart = chart_of(two_ways());
  CHECK(chart.peak.plot.x0 == chart.time.plot.x0);
  CHECK(chart.peak.plot.x1 == chart.time.plot.x1);
  CHECK(chart.peak.plot.y1 < chart.time.plot.y0);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(chart.peak.lines[0][i].at.x == chart.time.lines[1][i].at.x);
  }
  CHECK(*chart.batch_px == chart.peak.lines[0][2].at.x);  // 64
}

TEST_CASE("batch sizes are logarithmic if they span more than a factor of eight", "[view]") {
  FitCurve curve = two_ways();
  CHECK(chart_of(curve).peak.x.is_log);
  for (FitLine& line : curve.lines) {
    std::erase_if(line.points, [](const FitPoint& point) { return point.batch < 64; });
  }
  const FitChart chart = chart_of(curve);  // 64 to 300
  CHECK_FALSE(chart.peak.x.is_log);
  curve.batch = 1;
  CHECK(chart_of(curve).peak.x.is_log);
}

TEST_CASE("units are those in which the largest number is at least one", "[view]") {
  FitCurve curve = two_ways();
  FitChart chart = chart_of(curve);
  CHECK(find_label(chart, "Device peak, GiB") != nullptr);
  CHECK(find_label(chart, "Time of an example, ms") != nullptr);
  CHECK(find_label(chart, "budget 16.00 GiB") != nullptr);
  curve.budget = 2048;
  for (FitLine& line : curve.lines) {
    for (FitPoint& point : line.points) {
      point.device_peak = point.batch;
      point.example_ns = 900;
    }
  }
  chart = chart_of(curve);
  CHECK(find_label(chart, "Device peak, KiB") != nullptr);
  CHECK(find_label(chart, "Time of an example, ns") != nullptr);
}

TEST_CASE("no labels overlap, and every way is in the legend", "[view]") {
  FitCurve curve = four_ways();
  for (const auto& [width, height] : {std::pair(400.0F, 300.0F), std::pair(1600.0F, 1000.0F)}) {
    for (float font = 12; font <= 32; font += 1) {
      for (const std::int64_t batch : {1, 64, 100, 300, 100'000}) {
        curve.batch = batch;
        const FitChart chart = chart_of(curve, width, height, font);
        CAPTURE(width, font, batch);
        for (std::size_t i = 0; i < chart.labels.size(); ++i) {
          const FitLabel& label = chart.labels[i];
          CAPTURE(label.text);
          CHECK(label.box.x0 >= 0);
          CHECK(label.box.x1 <= width);
          CHECK(label.box.y0 >= 0);
          CHECK(label.box.y1 <= height);
          for (std::size_t other = 0; other < i; ++other) {
            CAPTURE(chart.labels[other].text);
            CHECK_FALSE(overlap(label.box, chart.labels[other].box));
          }
        }
        for (const FitLine& line : curve.lines) CHECK(find_label(chart, line.title) != nullptr);
        CHECK(chart.legend.size() == 5);  // and what does not fit
        CHECK(find_label(chart, "budget 16.00 GiB") != nullptr);
        CHECK(find_label(chart, "batch " + std::to_string(batch)) != nullptr);
        CHECK(chart.peak.plot.height() > 3 * chart.text_px);
        CHECK(chart.time.plot.height() > 3 * chart.text_px);
      }
    }
  }
}

TEST_CASE("texts are as large as wanted where there is room", "[view]") {
  CHECK(chart_of(four_ways(), 1600, 1000, 15).text_px == Approx(12));
  CHECK(chart_of(four_ways(), 400, 300, 32).text_px < 0.8F * 32);
}

TEST_CASE("points that do not fit are hollow, and the legend says so", "[view]") {
  const auto fills = [](const FitCurve& curve) {
    test::RecordingCanvas canvas;
    draw_fit(canvas, palette(ThemeKind::kDark), chart_of(curve), {0, 0});
    CHECK(canvas.all_finite);
    CHECK(canvas.open_clips == 0);
    return std::pair(canvas.fills.size(), canvas.says("does not fit"));
  };
  FitCurve curve = two_ways();
  const auto [hollow, says] = fills(curve);
  CHECK(says);
  for (FitLine& line : curve.lines) {
    for (FitPoint& point : line.points) point.fits = true;
  }
  const auto [filled, still_says] = fills(curve);
  CHECK_FALSE(still_says);
  // The point with 300 examples of the first line has a second disc in both charts; so has the
  // legend, whose entry needs two.
  CHECK(hollow == filled + 2 + 2);
}

TEST_CASE("lines differ by more than their colours", "[view]") {
  test::RecordingCanvas canvas;
  draw_fit(canvas, palette(ThemeKind::kColorBlindSafe), chart_of(four_ways()), {10, 20});
  const auto color = [](std::size_t i) { return palette(ThemeKind::kColorBlindSafe).scopes[i]; };
  const auto count = [](const auto& shapes, Color wanted) {
    return std::count_if(shapes.begin(), shapes.end(),
                         [&](const auto& shape) { return shape.color == wanted; });
  };
  // Five points in two charts and one in the legend: as fills for discs and squares, as one
  // triangle, as two for diamonds.
  CHECK(count(canvas.fills, color(0)) == 11);
  CHECK(count(canvas.fills, color(1)) == 11);
  CHECK(count(canvas.triangles, color(2)) == 11);
  CHECK(count(canvas.triangles, color(3)) == 22);
  for (std::size_t i = 0; i < 4; ++i) CHECK(count(canvas.lines, color(i)) == 2 * 4 + 1);
}

TEST_CASE("a line has a gap where it has no plan for a batch size", "[view]") {
  FitCurve curve = two_ways();
  std::erase_if(curve.lines[1].points, [](const FitPoint& point) { return point.batch == 64; });
  const FitChart chart = chart_of(curve);
  const auto& marks = chart.peak.lines[1];
  REQUIRE(marks.size() == 4);
  CHECK_FALSE(marks[0].is_joined);  // nothing is before the first one
  CHECK(marks[1].is_joined);
  CHECK_FALSE(marks[2].is_joined);  // from 16 to 156
  CHECK(marks[3].is_joined);
  test::RecordingCanvas canvas;
  draw_fit(canvas, palette(ThemeKind::kDark), chart, {0, 0});
  const auto pieces = std::count_if(canvas.lines.begin(), canvas.lines.end(), [](const auto& line) {
    return line.color == palette(ThemeKind::kDark).scopes[1];
  });
  CHECK(pieces == 2 * 2 + 1);  // in both charts, and in the legend
}

TEST_CASE("times that are not known are left out", "[view]") {
  FitCurve curve = two_ways();
  curve.lines[1].points[0].example_ns = 0;
  curve.lines[1].points[1].example_ns = std::nan("");
  const FitChart chart = chart_of(curve);
  CHECK(chart.peak.lines[1].size() == 5);
  CHECK(chart.time.lines[1].size() == 3);
}

TEST_CASE("without points the chart says why", "[view]") {
  FitCurve curve;
  CHECK(chart_of(curve).labels.front().text == "there is no curve");
  curve.lines = {{"as it is", {}}};
  CHECK(chart_of(curve).labels.front().text == "there is no curve");
  const test::RecordingCanvas measure;
  // 14 letters of 6 pixels are as many as 100 less the margins hold.
  const FitChart narrow = layout_fit({}, 100, 100, 15, measure, "there is really no curve");
  REQUIRE(narrow.labels.size() == 3);
  CHECK(narrow.labels[0].text == "there is");
  CHECK(narrow.labels[1].text == "really no");
  CHECK(narrow.labels[2].text == "curve");
}

TEST_CASE("nothing breaks where nothing can be seen", "[view]") {
  FitCurve curve = two_ways();
  curve.lines[0].points = {{1, 0, 0, true}};
  curve.lines[1].points.clear();
  curve.batch = 0;
  curve.budget = 0;
  for (const float size : {1.0F, 30.0F, 200.0F}) {
    test::RecordingCanvas canvas;
    draw_fit(canvas, palette(ThemeKind::kLight), chart_of(curve, size, size, 15), {0, 0});
    CHECK(canvas.all_finite);
    draw_fit(canvas, palette(ThemeKind::kLight), chart_of({}, size, size, 15), {0, 0});
    CHECK(canvas.all_finite);
  }
}

TEST_CASE("the mouse finds the nearest point", "[view]") {
  const FitChart chart = chart_of(two_ways());
  const Point at = chart.peak.lines[0][4].at;
  const auto hit = hit_fit(chart, {at.x + 2, at.y - 2});
  REQUIRE(hit);
  CHECK(hit_lines(chart, *hit) == std::vector<std::string>{"as it is, batch size 300",
                                                           "device peak 30.00 GiB, does not fit",
                                                           "2.0 ms an example"});
  const auto time = hit_fit(chart, chart.time.lines[1][0].at);
  REQUIRE(time);
  CHECK(time->line == 1);
  CHECK(time->point.batch == 1);
  CHECK_FALSE(hit_fit(chart, {0, 0}));
}

}  // namespace tideline::render
