#include "render/view/scalar_lines.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace tideline::render {
namespace {

using events::ScalarPoint;

const double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<ScalarPoint> points_of(std::initializer_list<double> values) {
  std::vector<ScalarPoint> points;
  for (const double value : values) {
    const auto step = static_cast<std::int64_t>(points.size());
    points.push_back({100.0 + 2 * static_cast<double>(step), step, value});
  }
  return points;
}

NumberAxis axis(double first, double last, float from_px, float to_px) {
  return {first, last, false, from_px, to_px};
}

}  // namespace

TEST_CASE("smoothing is the average of what came, without a pull to zero") {
  Smoother smoother(0.5);
  CHECK(smoother.next(4) == 4);
  CHECK(smoother.next(8) == Approx((0.25 * 4 + 0.5 * 8) / 0.75));
  CHECK(std::isnan(smoother.next(kNan)));
  CHECK(smoother.next(8) == Approx((0.125 * 4 + 0.25 * 8 + 0.5 * 8) / 0.875));
  Smoother none(0);
  CHECK(none.next(4) == 4);
  CHECK(none.next(7) == 7);
  Smoother whole(1);  // nothing but the past, and there is none
  CHECK(whole.next(4) == 4);
}

TEST_CASE("the axis is the step, the time since the run began, or the time of day") {
  const auto points = points_of({1, 2, 3});
  const LoggedCurve curve{points, {}, 100};
  CHECK(log_axis_number(LogAxis::kStep, curve, points[2]) == 2);
  CHECK(log_axis_number(LogAxis::kRelative, curve, points[2]) == 4);
  CHECK(log_axis_number(LogAxis::kWallTime, curve, points[2]) == 104);
}

TEST_CASE("the extent is that of what is visible") {
  const auto points = points_of({5, 1, -3, kNan, 9});
  const CurveExtent all = curve_extent({points, {}, 0}, LogAxis::kStep, {}, 0);
  CHECK(all.x == NumberRange{0, 4});
  CHECK(all.y == NumberRange{-3, 9});
  CHECK(all.least_positive == 1);
  CHECK(all.not_finite == 1);
  const CurveExtent part = curve_extent({points, {}, 0}, LogAxis::kStep, {0, 1}, 0);
  CHECK(part.x == NumberRange{0, 4});
  CHECK(part.y == NumberRange{1, 5});
  CHECK(part.not_finite == 0);
}

TEST_CASE("of many points in a column those stay that make it what it is") {
  const auto points = points_of({3, 9, 1, 4, 5, 7});
  // Steps 0 to 4 lie in the first column of pixels, step 5 in the next.
  const CurveLines lines =
      curve_lines({points, {}, 0}, LogAxis::kStep, axis(0, 5, 0, 1), axis(0, 10, 10, 0), 0);
  REQUIRE(lines.begins.size() == 1);
  REQUIRE(lines.points.size() == 5);
  const float wanted[] = {7, 1, 9, 5, 3};
  for (std::size_t i = 0; i < 5; ++i) CHECK(lines.points[i].y == Approx(wanted[i]));
}

TEST_CASE("a line ends where training began again, and at what is no number") {
  const auto points = points_of({1, 2, kNan, 3, 4, 5});
  const std::vector<std::uint64_t> restarts = {4};
  const CurveLines lines = curve_lines({points, restarts, 0}, LogAxis::kStep, axis(0, 5, 0, 500),
                                       axis(0, 10, 100, 0), 0);
  REQUIRE(lines.begins == std::vector<std::uint32_t>{0, 2, 3});
  CHECK(lines.line(0).size() == 2);
  CHECK(lines.line(1).size() == 1);
  CHECK(lines.line(2).size() == 2);
}

TEST_CASE("smoothing begins anew where training began again") {
  const auto points = points_of({10, 10, 10, 2, 2});
  const std::vector<std::uint64_t> restarts = {3};
  const NumberAxis y = axis(0, 10, 100, 0);
  const CurveLines lines =
      curve_lines({points, restarts, 0}, LogAxis::kStep, axis(0, 4, 0, 400), y, 0.9);
  REQUIRE(lines.begins.size() == 2);
  // The values before it were pulled along until they were forgotten.
  for (const Point point : lines.line(1)) CHECK(point.y == Approx(y.px(2)));
  const NearestPoint nearest = nearest_point({points, restarts, 0}, LogAxis::kStep, 4, 0.9);
  CHECK(nearest.smoothed == Approx(2));
}

TEST_CASE("over time the points of writers that take turns do not go back and forth") {
  // By step; the writer of the even steps is ten seconds behind.
  const std::vector<ScalarPoint> points = {{10, 0, 1}, {1, 1, 2}, {12, 2, 3}, {3, 3, 4}, {4, 5, 5}};
  const CurveLines lines =
      curve_lines({points, {}, 0}, LogAxis::kWallTime, axis(0, 20, 0, 200), axis(0, 10, 100, 0), 0);
  REQUIRE(lines.begins.size() == 1);
  std::vector<float> places;
  for (const Point point : lines.points) places.push_back(point.x);
  CHECK(places == std::vector<float>{10, 30, 40, 100, 120});
  CHECK(nearest_point({points, {}, 0}, LogAxis::kWallTime, 12, 0).row == 2);
}

TEST_CASE("values that are no finite numbers are marked where they are") {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto points = points_of({1, kNan, kNan, infinite, -infinite, 2});
  const NumberAxis x = axis(0, 5, 0, 500);
  const NumberAxis y = axis(0, 10, 100, 0);
  const CurveLines lines = curve_lines({points, {}, 0}, LogAxis::kStep, x, y, 0);
  CHECK(lines.not_finite == std::vector<Point>{{100, 100}, {200, 100}, {300, 0}, {400, 100}});
  // One a column of pixels, and none outside of what is visible.
  const CurveLines narrow = curve_lines({points, {}, 0}, LogAxis::kStep, axis(0, 2, 0, 1.5F), y, 0);
  CHECK(narrow.not_finite.size() == 2);
}

TEST_CASE("what lies outside of the visible part leaves its neighbours only") {
  const auto points = points_of({1, 2, 3, 4, 5, 6, 7, 8});
  const CurveLines lines =
      curve_lines({points, {}, 0}, LogAxis::kStep, axis(3, 4, 0, 100), axis(0, 10, 100, 0), 0);
  const std::span<const Point> line = lines.line(lines.begins.size() - 1);
  REQUIRE(line.size() == 4);  // steps 2 to 5
  CHECK(line[0].x == -100);
  CHECK(line[3].x == 200);
}

TEST_CASE("a curve of many points covers what a line through all of them covers") {
  std::mt19937 random(7);
  std::vector<ScalarPoint> points;
  for (std::int64_t i = 0; i < 20'000; ++i) {
    points.push_back({0, i, static_cast<double>(random() % 1000)});
  }
  const NumberAxis x = axis(0, 19'999, 0, 200);
  const NumberAxis y = axis(0, 1000, 100, 0);
  const CurveLines lines = curve_lines({points, {}, 0}, LogAxis::kStep, x, y, 0);
  CHECK(lines.points.size() <= 4 * 201);
  // By column: the least and the most.
  std::vector<std::pair<float, float>> all(201, {1e9F, -1e9F});
  std::vector<std::pair<float, float>> kept = all;
  const auto note = [](std::vector<std::pair<float, float>>& columns, Point point) {
    auto& [least, most] = columns[static_cast<std::size_t>(point.x)];
    least = std::min(least, point.y);
    most = std::max(most, point.y);
  };
  for (const ScalarPoint& point : points) {
    note(all, {x.px(static_cast<double>(point.step)), y.px(point.value)});
  }
  for (const Point point : lines.points) note(kept, point);
  CHECK(all == kept);
}

TEST_CASE("the nearest point is found on every axis, the last one of several") {
  auto points = points_of({1, 2, 3, 4});
  points.push_back({200, 2, 30});  // began again at step 2
  const LoggedCurve curve{points, {}, 100};
  CHECK(nearest_point(curve, LogAxis::kStep, 2.2, 0).row == 4);
  CHECK(nearest_point(curve, LogAxis::kStep, 1.4, 0).row == 1);
  CHECK(nearest_point(curve, LogAxis::kRelative, 4.1, 0).row == 2);
  CHECK(nearest_point(curve, LogAxis::kStep, -50, 0).row == 0);
  CHECK_FALSE(nearest_point({}, LogAxis::kStep, 1, 0).is_found);
  CHECK(nearest_point(curve, LogAxis::kStep, 1, 0.5).smoothed ==
        Approx((0.25 * 1 + 0.5 * 2) / 0.75));
}

}  // namespace tideline::render
