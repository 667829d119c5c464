// The points of a logged curve as lines of pixels: smoothed, on one of three axes, and no more of
// them than pixels can show.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/events/event_rows.h"
#include "render/view/canvas.h"
#include "render/view/number_axis.h"

namespace tideline::render {

/// The horizontal axis of logged values.
enum class LogAxis : std::uint8_t { kStep, kRelative, kWallTime };
[[nodiscard]] NumberKind number_kind(LogAxis axis);

/// How the charts of a log are looked at; the same for all of them.
struct ScalarLook {
  LogAxis axis = LogAxis::kStep;
  NumberRange visible;  ///< of the axis; empty: all of it
  double smoothing_0_1 = 0.6;
  bool is_log_x = false, is_log_y = false;
  bool leaves_out_outliers = false;  ///< what is far from most values has no place in the chart
  friend bool operator==(const ScalarLook&, const ScalarLook&) = default;
};

/// A curve of one run. The points must outlive this.
struct LoggedCurve {
  std::span<const events::ScalarPoint> points;
  /// Rows at which training began again from an earlier step: the line is broken there.
  std::span<const std::uint64_t> restarts;
  double begin_s = 0;  ///< wall time that relative times count from
};

/// The number of a point on the axis.
[[nodiscard]] double log_axis_number(LogAxis axis, const LoggedCurve& curve,
                                     const events::ScalarPoint& point);

/// The exponential moving average with weight `weight_0_1` (0: none), as TensorBoard smooths: each
/// value is divided by what the weights so far add up to, so that the first one is not pulled to 0.
/// Values that are no finite numbers are passed on and do not count.
class Smoother {
 public:
  explicit Smoother(double weight_0_1) : weight_(weight_0_1) {}
  [[nodiscard]] double next(double value);

 private:
  double weight_;
  double last_ = 0;
  double missing_ = 1;  // weight of what came before the first value
};

/// What of a curve lies in a range of the axis.
struct CurveExtent {
  NumberRange x;                ///< of all points
  NumberRange y;                ///< of the finite values, raw and smoothed, that lie in the range
  double least_positive = 0;    ///< of these; 0: none
  std::int64_t not_finite = 0;  ///< values in the range that no line can show
};
/// `visible`: empty for all of it. Cost: O(points). Thread: pure.
[[nodiscard]] CurveExtent curve_extent(const LoggedCurve& curve, LogAxis axis, NumberRange visible,
                                       double smoothing_0_1);

/// Adds the finite values in a range of the axis, raw and smoothed. `visible` and cost: as above.
void add_values(const LoggedCurve& curve, LogAxis axis, NumberRange visible, double smoothing_0_1,
                std::vector<double>& values);
/// From where a twentieth of the values lies below to where a twentieth lies above. Empty for no
/// values. Cost: O(values), which are put into another order.
[[nodiscard]] NumberRange without_outliers(std::vector<double>& values);

/// Lines, each unbroken.
struct CurveLines {
  std::vector<Point> points;
  std::vector<std::uint32_t> begins;  ///< of each line, in `points`
  /// Where values are that are NaN, infinite or minus infinite: at the lower end of the vertical
  /// axis, at the upper one, at the lower one. At most one a column of pixels.
  std::vector<Point> not_finite;

  [[nodiscard]] std::span<const Point> line(std::size_t index) const;
};
/// The curve between `x` and `y`. Of the points in one column of pixels only the first, the lowest,
/// the highest and the last are kept, which look the same. Lines are broken at restarts and at
/// values that are not finite (on a logarithmic axis: not positive). Cost: O(points). Thread: pure.
[[nodiscard]] CurveLines curve_lines(const LoggedCurve& curve, LogAxis axis, const NumberAxis& x,
                                     const NumberAxis& y, double smoothing_0_1);

/// The point whose number on the axis is nearest to `number`.
struct NearestPoint {
  bool is_found = false;
  std::size_t row = 0;
  double smoothed = 0;
};
/// Points without a finite place on the axis are passed over. Cost: O(points). Thread: pure.
[[nodiscard]] NearestPoint nearest_point(const LoggedCurve& curve, LogAxis axis, double number,
                                         double smoothing_0_1);

}  // namespace tideline::render
