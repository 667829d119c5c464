// Problem: a curve of a million points is drawn on a thousand columns of pixels.
// Idea: go through the points once, in the order of the log, and keep of each run of points within
// one column the first, the lowest, the highest and the last. A line through these covers the same
// pixels as one through all of them. A curve that goes back, because training began again, is
// another line.
// Example: values 3 9 1 4 in one column become the points 3 9 1 4; a fifth value 5 replaces the 4.
// Cost: O(points); at most four points a column for each line.
// Source: own; the average as in tensorboard/components/vz_line_chart2/line-chart.ts,
// resmoothDataset (idea). Tested by tests/unit/view/scalar_lines_test.cc.
#include "render/view/scalar_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tideline::render {
namespace {

// Collects the points of a column.
class ColumnWriter {
 public:
  explicit ColumnWriter(CurveLines& lines) : lines_(lines) {}

  void add(Point point) {
    const double column = std::floor(static_cast<double>(point.x));
    if (!is_open_) {
      lines_.begins.push_back(static_cast<std::uint32_t>(lines_.points.size()));
      is_open_ = true;
    } else if (column == column_) {
      if (point.y < low_.y) low_ = point, low_at_ = count_;
      if (point.y > high_.y) high_ = point, high_at_ = count_;
      last_ = point;
      ++count_;
      return;
    } else {
      flush();
    }
    column_ = column;
    first_ = low_ = high_ = last_ = point;
    low_at_ = high_at_ = 0;
    count_ = 1;
  }

  void end_line() {
    if (is_open_) flush();
    is_open_ = false;
  }

 private:
  void flush() {
    std::vector<Point>& points = lines_.points;
    points.push_back(first_);
    const bool is_low_first = low_at_ < high_at_;
    const std::size_t last = count_ - 1;
    for (const bool is_low : {is_low_first, !is_low_first}) {
      const std::size_t at = is_low ? low_at_ : high_at_;
      if (at > 0 && at < last) points.push_back(is_low ? low_ : high_);
    }
    if (last > 0) points.push_back(last_);
  }

  CurveLines& lines_;
  bool is_open_ = false;
  double column_ = 0;
  Point first_, low_, high_, last_;
  std::size_t low_at_ = 0, high_at_ = 0, count_ = 0;  // in the column
};

// Calls `visit(row)` for the rows from `begin` to `end`, which are in the order of steps, in that
// of the axis: of writers that take turns one may be ahead of another.
template <typename Visit>
void for_each_row(const LoggedCurve& curve, LogAxis axis, std::size_t begin, std::size_t end,
                  const Visit& visit) {
  const auto is_earlier = [](const events::ScalarPoint& a, const events::ScalarPoint& b) {
    return a.wall_time < b.wall_time;
  };
  const auto points = curve.points.subspan(begin, end - begin);
  if (axis == LogAxis::kStep || std::is_sorted(points.begin(), points.end(), is_earlier)) {
    for (std::size_t row = begin; row < end; ++row) visit(row);
    return;
  }
  std::vector<std::size_t> rows;  // those without a time have no place among the others
  for (std::size_t row = begin; row < end; ++row) {
    if (!std::isnan(curve.points[row].wall_time)) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return is_earlier(curve.points[a], curve.points[b]);
  });
  for (const std::size_t row : rows) visit(row);
}

// Calls `visit(row, x, smoothed, is_restart)` for each point, from left to right up to the next
// restart. Smoothing begins anew there: the first values after it know nothing of those before.
template <typename Visit>
void for_each_point(const LoggedCurve& curve, LogAxis axis, double smoothing, const Visit& visit) {
  std::size_t begin = 0;
  for (std::size_t restart = 0; begin < curve.points.size(); ++restart) {
    const bool is_last = restart >= curve.restarts.size();
    const std::size_t end =
        is_last ? curve.points.size()
                : std::min<std::size_t>(curve.restarts[restart], curve.points.size());
    if (end <= begin) continue;
    Smoother smoother(smoothing);
    bool is_restart = begin > 0;
    for_each_row(curve, axis, begin, end, [&](std::size_t row) {
      const events::ScalarPoint& point = curve.points[row];
      visit(row, log_axis_number(axis, curve, point), smoother.next(point.value),
            std::exchange(is_restart, false));
    });
    begin = end;
  }
}

}  // namespace

NumberKind number_kind(LogAxis axis) {
  switch (axis) {
    case LogAxis::kStep: break;
    case LogAxis::kRelative: return NumberKind::kSeconds;
    case LogAxis::kWallTime: return NumberKind::kWallTime;
  }
  return NumberKind::kPlain;
}

double log_axis_number(LogAxis axis, const LoggedCurve& curve, const events::ScalarPoint& point) {
  switch (axis) {
    case LogAxis::kStep: break;
    case LogAxis::kRelative: return point.wall_time - curve.begin_s;
    case LogAxis::kWallTime: return point.wall_time;
  }
  return static_cast<double>(point.step);
}

double Smoother::next(double value) {
  if (!std::isfinite(value) || !(weight_ > 0)) return value;
  last_ = last_ * weight_ + (1 - weight_) * value;
  // Once it is lost in rounding anyway: on the way to 0 it would stay among the subnormal numbers,
  // which take a hundred cycles each.
  constexpr double kNegligible = 1e-100;
  missing_ = missing_ < kNegligible ? 0 : missing_ * weight_;
  return missing_ < 1 ? last_ / (1 - missing_) : value;
}

CurveExtent curve_extent(const LoggedCurve& curve, LogAxis axis, NumberRange visible,
                         double smoothing_0_1) {
  CurveExtent extent;
  for_each_point(curve, axis, smoothing_0_1, [&](std::size_t row, double x, double smoothed, bool) {
    extent.x.add(x);
    if (!visible.empty() && !(x >= visible.first && x <= visible.last)) return;
    const double value = curve.points[row].value;
    if (!std::isfinite(value)) {
      ++extent.not_finite;
      return;
    }
    for (const double y : {value, smoothed}) {
      extent.y.add(y);
      if (y > 0 && (extent.least_positive == 0 || y < extent.least_positive)) {
        extent.least_positive = y;
      }
    }
  });
  return extent;
}

void add_values(const LoggedCurve& curve, LogAxis axis, NumberRange visible, double smoothing_0_1,
                std::vector<double>& values) {
  for_each_point(curve, axis, smoothing_0_1, [&](std::size_t row, double x, double smoothed, bool) {
    if (!visible.empty() && !(x >= visible.first && x <= visible.last)) return;
    const double value = curve.points[row].value;
    if (std::isfinite(value)) values.insert(values.end(), {value, smoothed});
  });
}

NumberRange without_outliers(std::vector<double>& values) {
  NumberRange middle;
  if (values.empty()) return middle;
  const auto last = static_cast<double>(values.size() - 1);
  for (const double share : {0.05, 0.95}) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::lround(share * last));
    std::nth_element(values.begin(), at, values.end());
    middle.add(*at);
  }
  return middle;
}

std::span<const Point> CurveLines::line(std::size_t index) const {
  const std::size_t end = index + 1 < begins.size() ? begins[index + 1] : points.size();
  return std::span(points).subspan(begins[index], end - begins[index]);
}

CurveLines curve_lines(const LoggedCurve& curve, LogAxis axis, const NumberAxis& x,
                       const NumberAxis& y, double smoothing_0_1) {
  CurveLines lines;
  ColumnWriter writer(lines);
  // Of the points outside, only the neighbours of visible ones are needed.
  Point before;
  int side_before = 0;
  const auto add_mark = [&](double number, double value) {
    const float place = x.px(number);
    const bool is_known =
        !lines.not_finite.empty() && std::floor(lines.not_finite.back().x) == std::floor(place);
    if (!is_known) lines.not_finite.push_back({place, y.px(value > 0 ? y.last : y.first)});
  };
  const auto side = [&](double number) { return number < x.first ? -1 : number > x.last ? 1 : 0; };
  for_each_point(curve, axis, smoothing_0_1,
                 [&](std::size_t, double number, double value, bool is_restart) {
                   const bool is_here = std::isfinite(number) && side(number) == 0;
                   if (is_here && !std::isfinite(value)) add_mark(number, value);
                   const bool is_shown =
                       std::isfinite(number) && std::isfinite(value) && (!y.is_log || value > 0);
                   if (is_restart || !is_shown) {
                     writer.end_line();
                     side_before = 0;
                   }
                   if (!is_shown) return;
                   const Point point = {x.px(number), y.px(value)};
                   const int here = side(number);
                   if (here != 0 && here == side_before) {
                     writer.end_line();
                   } else {
                     if (side_before != 0) writer.add(before);
                     writer.add(point);
                   }
                   before = point;
                   side_before = here;
                 });
  writer.end_line();
  return lines;
}

NearestPoint nearest_point(const LoggedCurve& curve, LogAxis axis, double number,
                           double smoothing_0_1) {
  NearestPoint nearest;
  double least = 0;
  for_each_point(curve, axis, smoothing_0_1, [&](std::size_t row, double x, double smoothed, bool) {
    const double off = std::abs(x - number);
    if (!std::isfinite(off) || (nearest.is_found && off > least)) return;
    // If several are at one place, the one that was logged last counts.
    nearest = {true, row, smoothed};
    least = off;
  });
  return nearest;
}

}  // namespace tideline::render
