#include "render/view/axis.h"

#include <algorithm>
#include <cmath>

namespace tideline::render {
namespace {

constexpr double kFarPx = 1e6;
constexpr double kLeastSpan = 1e-3;

}  // namespace

float Axis::x(double position) const {
  return static_cast<float>(
      std::clamp(x0 + (position - first) * px_per_unit(), x0 - kFarPx, x1 + kFarPx));
}

double Axis::position(float x) const {
  return first + (static_cast<double>(x) - x0) / px_per_unit();
}

int Axis::begin() const {
  return static_cast<int>(std::clamp(std::floor(first), 0.0, 2e9));
}

int Axis::end(int count) const {
  const double last = std::clamp(std::ceil(first + span), 0.0, 2e9);
  return std::max(begin(), std::min(count, static_cast<int>(last)));
}

Axis make_axis(VisibleRange range, int count, float x0, float x1) {
  Axis axis;
  axis.x0 = std::isfinite(x0) ? x0 : 0;
  axis.x1 = std::isfinite(x1) && x1 > axis.x0 + 1 ? x1 : axis.x0 + 1;
  const bool usable = std::isfinite(range.first) && std::isfinite(range.span) && range.span > 0;
  axis.first = usable ? std::clamp(range.first, -1e9, 2e9) : 0;
  axis.span = usable ? std::clamp(range.span, kLeastSpan, 1e10) : std::max(1, count);
  return axis;
}

std::vector<int> axis_ticks(const Axis& axis, int count, float least_px) {
  const double least = std::max(1.0F, least_px) / axis.px_per_unit();
  double step = 1;
  for (int i = 0; step < least && i < 40; ++i) step *= i % 3 == 1 ? 2.5 : 2;  // 1 2 5 10 20 ...
  std::vector<int> ticks;
  if (step > 1e9) return ticks;
  const int whole = static_cast<int>(step);
  const int end = axis.end(count);
  for (int at = (axis.begin() + whole - 1) / whole * whole; at < end; at += whole) {
    if (at >= axis.first) ticks.push_back(at);
    if (at > 2'000'000'000 - whole) break;
  }
  return ticks;
}

}  // namespace tideline::render
