// Ticks stand at multiples of a round step: 1, 2 or 5 times a power of ten, for times also round
// parts of minutes, hours and days. A logarithmic axis has powers of ten, with 2 and 5 times these
// where there is room.
// Source: own. Tested by tests/unit/view/number_axis_test.cc.
#include "render/view/number_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace tideline::render {
namespace {

constexpr double kFarOutsidePx = 1e6;
constexpr int kMostTicks = 1000;
constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr double kDay = 86400;

double shown(const NumberAxis& axis, double number) {
  return axis.is_log ? std::log10(number) : number;
}

// The smallest round step of at least `least`.
double decimal_step(double least) {
  if (!(least > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

double time_step(double least) {
  static constexpr std::array kSteps = {
      1.0,     2.0,         5.0,         10.0,         15.0,         30.0,
      kMinute, 2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
      kHour,   2 * kHour,   3 * kHour,   6 * kHour,    12 * kHour,   kDay};
  if (least <= kSteps.front()) return decimal_step(least);
  const auto found = std::lower_bound(kSteps.begin(), kSteps.end(), least);
  return found == kSteps.end() ? kDay * decimal_step(least / kDay) : *found;
}

std::string time_tick_text(double seconds, double step) {
  const std::string whole = wall_time_text(seconds);
  if (whole.empty()) return number_text(seconds);
  if (step >= kDay) return whole.substr(0, 10);
  const std::string day = whole.substr(5, 5);
  const std::string time = whole.substr(11, step >= kMinute ? 5 : 8);
  if (step < 1) return fmt::format("{}{:06.3f}", whole.substr(11, 6), std::fmod(seconds, kMinute));
  return step >= kHour ? day + " " + time : time;
}

std::string tick_text(double number, double step, NumberKind kind) {
  if (kind == NumberKind::kSeconds) return duration_text(number);
  if (kind == NumberKind::kWallTime) return time_tick_text(number, step);
  // As many digits as tell neighbours apart.
  const double size = std::max(std::abs(number), step);
  if (size >= 1e6 || size < 1e-4) {
    const int digits = std::clamp(
        static_cast<int>(std::floor(std::log10(size)) - std::floor(std::log10(step))), 0, 12);
    return number == 0 ? "0" : fmt::format("{:.{}e}", number, digits);
  }
  const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 12);
  return fmt::format("{:.{}f}", number, decimals);
}

std::vector<NumberTick> log_ticks(const NumberAxis& axis, float least_px) {
  const double px_per_decade = std::abs(static_cast<double>(axis.to_px) - axis.from_px) /
                               (std::log10(axis.last) - std::log10(axis.first));
  const int every = std::max(1, static_cast<int>(std::ceil(least_px / px_per_decade)));
  const bool has_between = px_per_decade * 0.30 >= least_px;
  std::vector<NumberTick> ticks;
  const int begin = static_cast<int>(std::floor(std::log10(axis.first)));
  const int end = static_cast<int>(std::ceil(std::log10(axis.last)));
  for (int power = begin; power <= end && ticks.size() < kMostTicks; ++power) {
    if (power % every != 0) continue;
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && !has_between) break;
      const double number = factor * std::pow(10, power);
      if (number >= axis.first * (1 - 1e-9) && number <= axis.last * (1 + 1e-9)) {
        ticks.push_back({number, number_text(number)});
      }
    }
  }
  return ticks;
}

}  // namespace

void NumberRange::add(double number) {
  if (!std::isfinite(number)) return;
  if (empty()) {
    first = last = number;
  } else {
    first = std::min(first, number);
    last = std::max(last, number);
  }
}

void NumberRange::add(const NumberRange& other) {
  if (other.empty()) return;
  add(other.first);
  add(other.last);
}

float NumberAxis::px(double number) const {
  const double share =
      (shown(*this, number) - shown(*this, first)) / (shown(*this, last) - shown(*this, first));
  const double at = from_px + share * (static_cast<double>(to_px) - from_px);
  if (std::isnan(at)) return static_cast<float>(at);
  return static_cast<float>(std::clamp(at, -kFarOutsidePx, kFarOutsidePx));
}

double NumberAxis::number(float px) const {
  const double share = (static_cast<double>(px) - from_px) / (static_cast<double>(to_px) - from_px);
  const double at = shown(*this, first) + share * (shown(*this, last) - shown(*this, first));
  return is_log ? std::pow(10, at) : at;
}

NumberAxis make_number_axis(NumberRange range, bool is_log, double least_positive, float from_px,
                            float to_px) {
  NumberAxis axis;
  axis.from_px = from_px;
  axis.to_px = std::abs(to_px - from_px) < 1 ? from_px + 1 : to_px;
  if (range.empty()) range = {0, 1};
  // Far from the ends of what a double holds, where differences and logarithms would fail.
  constexpr double kMost = 1e300;
  constexpr double kLeast = 1e-300;
  axis.first = std::clamp(range.first, -kMost, kMost);
  axis.last = std::clamp(range.last, -kMost, kMost);
  axis.is_log = is_log && least_positive > 0 && axis.last >= kLeast;
  if (axis.is_log) {
    axis.first = std::max(axis.first, std::min(std::max(least_positive, kLeast), axis.last));
  }
  const double size = std::max(std::abs(axis.first), std::abs(axis.last));
  if (axis.last - axis.first <= size * 1e-12) {
    const double room = size > 0 ? size * 0.05 : 0.5;
    axis.first -= room;
    axis.last += room;
  }
  return axis;
}

std::vector<NumberTick> number_ticks(const NumberAxis& axis, NumberKind kind, float least_px) {
  least_px = std::max(least_px, 1.0F);
  if (axis.is_log) {
    std::vector<NumberTick> powers = log_ticks(axis, least_px);
    if (powers.size() > 1) return powers;  // else it shows a part of a power of ten
  }
  const double per_px = (axis.last - axis.first) / std::abs(axis.to_px - axis.from_px);
  const double least = per_px * least_px;
  const double step = kind == NumberKind::kPlain ? decimal_step(least) : time_step(least);
  std::vector<NumberTick> ticks;
  double index = std::ceil(axis.first / step - 1e-9) + 0.0;  // no -0
  for (int i = 0; i < kMostTicks && index * step <= axis.last + step * 1e-9; ++i, ++index) {
    const double number = index * step;
    ticks.push_back({number, tick_text(number, step, kind)});
  }
  return ticks;
}

std::string number_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  const double size = std::abs(number);
  if (size != 0 && (size >= 1e7 || size < 1e-4)) return fmt::format("{:.4g}", number);
  return fmt::format("{:.6g}", number);
}

std::string duration_text(double seconds) {
  const double size = std::abs(seconds);
  const char* sign = seconds < 0 ? "-" : "";
  if (!std::isfinite(seconds) || size >= 1e12) return number_text(seconds) + " s";
  if (size == 0) return "0 s";
  if (size < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  if (size < kMinute) return fmt::format("{:.4g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(size));
  const std::int64_t days = whole / 86400;
  const std::int64_t hours = whole / 3600 % 24;
  const std::int64_t minutes = whole / 60 % 60;
  if (days > 0) return fmt::format("{}{}d {}h", sign, days, hours);
  if (hours > 0) return fmt::format("{}{}h {}m", sign, hours, minutes);
  return fmt::format("{}{}m {}s", sign, minutes, whole % 60);
}

std::string wall_time_text(double seconds_since_1970) {
  constexpr double kLast = 253402300800;  // the year 10000
  if (!(seconds_since_1970 >= 0) || seconds_since_1970 >= kLast) return {};
  const auto seconds = static_cast<std::int64_t>(seconds_since_1970);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{seconds / 86400}}};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
}

}  // namespace tideline::render
