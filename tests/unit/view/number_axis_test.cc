#include "render/view/number_axis.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace tideline::render {
namespace {

std::string texts(const std::vector<NumberTick>& ticks) {
  std::string all;
  for (const NumberTick& tick : ticks) all += (all.empty() ? "" : " ") + tick.text;
  return all;
}

std::string ticks_of(double first, double last, NumberKind kind = NumberKind::kPlain,
                     bool is_log = false) {
  const NumberAxis axis = make_number_axis({first, last}, is_log, 1e-9, 0, 500);
  return texts(number_ticks(axis, kind, 100));
}

}  // namespace

TEST_CASE("ticks of numbers are round and have as many digits as they need") {
  CHECK(ticks_of(0, 10) == "0 2 4 6 8 10");
  CHECK(ticks_of(-0.3, 0.7) == "-0.2 0.0 0.2 0.4 0.6");
  CHECK(ticks_of(0.99, 1) == "0.990 0.992 0.994 0.996 0.998 1.000");
  CHECK(ticks_of(0, 5e9) == "0 1e+09 2e+09 3e+09 4e+09 5e+09");
  CHECK(ticks_of(1e9, 1e9 + 5) ==
        "1.000000000e+09 1.000000001e+09 1.000000002e+09 1.000000003e+09 1.000000004e+09 "
        "1.000000005e+09");
}

TEST_CASE("ticks of times are whole seconds, minutes, hours or days") {
  CHECK(ticks_of(0, 290, NumberKind::kSeconds) == "0 s 1m 0s 2m 0s 3m 0s 4m 0s");
  CHECK(ticks_of(0, 400'000, NumberKind::kSeconds) == "0 s 1d 0h 2d 0h 3d 0h 4d 0h");
  // 1763769600 is the beginning of 2025-11-22.
  CHECK(ticks_of(1763769600, 1763769600 + 5 * 3600, NumberKind::kWallTime) ==
        "11-22 00:00 11-22 01:00 11-22 02:00 11-22 03:00 11-22 04:00 11-22 05:00");
  CHECK(ticks_of(1763769600, 1763769660, NumberKind::kWallTime) ==
        "00:00:00 00:00:15 00:00:30 00:00:45 00:01:00");
}

TEST_CASE("a logarithmic axis has powers of ten, and more where there is room") {
  CHECK(ticks_of(1e-3, 1e2, NumberKind::kPlain, true) == "0.001 0.01 0.1 1 10 100");
  CHECK(ticks_of(1, 10, NumberKind::kPlain, true) == "1 2 5 10");
  CHECK(ticks_of(0.12, 0.19, NumberKind::kPlain, true) == "0.12 0.14 0.16 0.18");
  const NumberAxis axis = make_number_axis({-1, 100}, true, 1, 0, 200);
  CHECK(axis.is_log);
  CHECK(axis.first == 1);
  CHECK(axis.px(10) == 100);
  CHECK(axis.number(100) == Approx(10));
  // Without positive numbers there is no such axis.
  CHECK_FALSE(make_number_axis({-2, -1}, true, 0, 0, 200).is_log);
}

TEST_CASE("whatever the numbers are, an axis has a length and ticks without end there are not") {
  constexpr double kMost = std::numeric_limits<double>::max();
  for (const NumberRange range :
       {NumberRange{}, NumberRange{5, 5}, NumberRange{0, 0}, NumberRange{-kMost, kMost},
        NumberRange{0, 5e-324}, NumberRange{1e15, 1e15 + 1}}) {
    for (const bool is_log : {false, true}) {
      const NumberAxis axis = make_number_axis(range, is_log, range.last, 10, 400);
      CHECK(axis.first < axis.last);
      CHECK(std::isfinite(axis.px(axis.first)));
      CHECK(std::isfinite(axis.px(kMost)));
      for (const NumberKind kind :
           {NumberKind::kPlain, NumberKind::kSeconds, NumberKind::kWallTime}) {
        CHECK(number_ticks(axis, kind, 40).size() < 100);
      }
    }
  }
  NumberRange range;
  range.add(std::nan(""));
  CHECK(range.empty());
  range.add(3);
  range.add(NumberRange{});
  range.add({-1, 2});
  CHECK(range == NumberRange{-1, 3});
}

TEST_CASE("numbers and times in few letters") {
  CHECK(number_text(0.0123456789) == "0.0123457");
  CHECK(number_text(1.5e-7) == "1.5e-07");
  CHECK(number_text(std::nan("")) == "NaN");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(duration_text(0.35) == "350 ms");
  CHECK(duration_text(200) == "3m 20s");
  CHECK(duration_text(-7380) == "-2h 3m");
  CHECK(wall_time_text(1763820333) == "2025-11-22 14:05:33");
  CHECK(wall_time_text(951782400) == "2000-02-29 00:00:00");
  CHECK(wall_time_text(-1).empty());
  CHECK(wall_time_text(1e18).empty());
}

}  // namespace tideline::render
