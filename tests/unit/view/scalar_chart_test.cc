#include "render/view/scalar_chart.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/scene_text.h"

namespace tideline::render {
namespace {

using events::ScalarPoint;

struct TwoRuns {
  std::vector<ScalarPoint> train, eval;
  std::vector<std::uint64_t> restarts = {50};
  std::vector<RunCurve> curves;

  TwoRuns() {
    for (std::int64_t i = 0; i < 100; ++i) {
      // Training began again from step 30 at row 50.
      const std::int64_t step = i < 50 ? i : i - 20;
      train.push_back({1000.0 + static_cast<double>(i), step, 1.0 / static_cast<double>(1 + i)});
      if (i % 10 == 0) eval.push_back({1000.0 + static_cast<double>(i), i, 2});
    }
    curves = {{{train, restarts, 1000}, 1, "train"}, {{eval, {}, 1000}, 3, "eval"}};
  }
};

ScalarLook look_of(double smoothing, LogAxis axis = LogAxis::kStep) {
  ScalarLook look;
  look.smoothing_0_1 = smoothing;
  look.axis = axis;
  return look;
}

}  // namespace

TEST_CASE("a chart has the curves of all runs, raw ones beside smoothed ones") {
  const TwoRuns runs;
  const ScalarChart plain = layout_scalars(runs.curves, look_of(0), 400, 300, 15);
  REQUIRE(plain.lines.size() == 2);
  CHECK(plain.lines[0].raw.points.empty());
  CHECK(plain.lines[0].smoothed.begins.size() == 2);  // broken where training began again
  CHECK(plain.lines[0].restarts_px == std::vector<float>{plain.x.px(30)});
  CHECK(plain.x.first == 0);
  CHECK(plain.x.last == 90);
  CHECK(plain.y.first < 0.01);
  CHECK(plain.y.last > 2);
  const ScalarChart smooth = layout_scalars(runs.curves, look_of(0.9), 400, 300, 15);
  CHECK_FALSE(smooth.lines[0].raw.points.empty());
}

TEST_CASE("a zoomed chart fits its values to what is visible") {
  const TwoRuns runs;
  ScalarLook look = look_of(0);
  look.visible = {60, 79};
  const ScalarChart chart = layout_scalars({runs.curves.front()}, look, 400, 300, 15);
  CHECK(chart.x.first == 60);
  CHECK(chart.y.last < 0.02);
}

TEST_CASE("a chart is drawn inside its area, with title, ticks and the numbers of runs") {
  const TwoRuns runs;
  for (const LogAxis axis : {LogAxis::kStep, LogAxis::kRelative, LogAxis::kWallTime}) {
    for (const bool is_log : {false, true}) {
      ScalarLook look = look_of(0.6, axis);
      look.is_log_x = look.is_log_y = is_log;
      const ScalarChart chart = layout_scalars(runs.curves, look, 400, 300, 15);
      test::RecordingCanvas canvas;
      draw_scalars(canvas, palette(ThemeKind::kDark), chart, {10, 20}, "loss");
      CHECK(canvas.all_finite);
      CHECK(canvas.open_clips == 0);
      CHECK(canvas.says("loss"));
      CHECK(canvas.says("1"));
      CHECK(canvas.says("3"));
      CHECK(canvas.polylines.size() == 6);  // of three lines, each raw and smoothed
    }
  }
}

TEST_CASE("values that no line can show are counted, and nothing else breaks") {
  const double kInf = std::numeric_limits<double>::infinity();
  const std::vector<ScalarPoint> bad = {{0, 1, kInf}, {0, 2, std::nan("")}};
  const std::vector<RunCurve> curves = {{{bad, {}, 0}, 1, "."}};
  const ScalarChart chart = layout_scalars(curves, look_of(0.5), 400, 300, 15);
  CHECK(chart.not_finite == 2);
  test::RecordingCanvas canvas;
  draw_scalars(canvas, palette(ThemeKind::kLight), chart, {0, 0}, "loss");
  CHECK(canvas.all_finite);
  CHECK(canvas.says("2 values are not a finite number"));
  draw_scalar_hits(canvas, palette(ThemeKind::kLight), chart, {0, 0},
                   hit_scalars(curves, chart, 200));
  CHECK(canvas.all_finite);
  // As small as a window can get, and without any run.
  draw_scalars(canvas, palette(ThemeKind::kLight), layout_scalars({}, look_of(0), 1, 1, 15), {0, 0},
               "");
  CHECK(canvas.all_finite);
}

TEST_CASE("without outliers a chart shows most values, and says how many it does not show") {
  std::vector<ScalarPoint> points;
  for (std::int64_t i = 0; i < 100; ++i) {
    const double value = i == 40 ? 1e6 : i == 60 ? -1e6 : std::sin(static_cast<double>(i));
    points.push_back({1000.0 + static_cast<double>(i), i, value});
  }
  const std::vector<RunCurve> curves = {{{points, {}, 1000}, 1, "train"}};
  ScalarLook look = look_of(0);
  CHECK(layout_scalars(curves, look, 400, 300, 15).y.last > 1e6);
  CHECK(layout_scalars(curves, look, 400, 300, 15).outliers == 0);
  look.leaves_out_outliers = true;
  const ScalarChart chart = layout_scalars(curves, look, 400, 300, 15);
  CHECK(chart.y.first > -1.2);
  CHECK(chart.y.first < -0.9);
  CHECK(chart.y.last < 1.2);
  CHECK(chart.outliers == 2);
  test::RecordingCanvas canvas;
  draw_scalars(canvas, palette(ThemeKind::kDark), chart, {0, 0}, "loss");
  CHECK(canvas.says("2 values are outside"));
  // The names of runs stand below, as far as there is room.
  const float height =
      draw_run_names(canvas, palette(ThemeKind::kDark), curves, {0, 300, 400, 340}, 15);
  CHECK(height > 10);
  CHECK(canvas.says("1 train"));
  // On a logarithmic axis, of the positive values; without any, all there are.
  look.is_log_y = true;
  CHECK(layout_scalars(curves, look, 400, 300, 15).y.last < 1.2);
  CHECK(layout_scalars({}, look, 400, 300, 15).outliers == 0);
}

TEST_CASE("the mouse finds the points of all runs at its step") {
  const TwoRuns runs;
  const ScalarChart chart = layout_scalars(runs.curves, look_of(0.5), 400, 300, 15);
  const auto hits = hit_scalars(runs.curves, chart, chart.x.px(20.3));
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].point.step == 20);
  CHECK(hits[0].row == 20);
  CHECK(hits[1].point.value == 2);
  CHECK(hits[1].number == 3);
  CHECK(hit_text(hits[1], chart.look, 1000) == "3 eval  step 20  2 (smoothed 2)  20 s");
  CHECK(hit_scalars(runs.curves, chart, chart.plot.x0 - 1).empty());
}

}  // namespace tideline::render
