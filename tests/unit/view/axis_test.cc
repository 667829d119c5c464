#include "render/view/axis.h"

#include <catch2/catch.hpp>
#include <limits>

namespace tideline::render {

TEST_CASE("a span of 0 shows all positions") {
  const Axis axis = make_axis({}, 50, 100, 200);
  CHECK(axis.x(0) == 100);
  CHECK(axis.x(50) == 200);
  CHECK(axis.px_per_unit() == 2);
  CHECK(axis.begin() == 0);
  CHECK(axis.end(50) == 50);
}

TEST_CASE("positions become pixels and the same positions again") {
  const Axis axis = make_axis({10, 20}, 100, 0, 400);
  CHECK(axis.x(10) == 0);
  CHECK(axis.x(15) == 100);
  CHECK(axis.position(100) == 15);
  CHECK(axis.begin() == 10);
  CHECK(axis.end(100) == 30);
  CHECK(axis.end(12) == 12);
}

TEST_CASE("ranges that are no numbers show everything; others are kept finite") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double huge = std::numeric_limits<double>::infinity();
  for (const VisibleRange range : {VisibleRange{nan, 5}, {0, nan}, {huge, 1}, {0, huge}, {0, -3}}) {
    const Axis axis = make_axis(range, 7, 0, 70);
    CHECK(axis.first == 0);
    CHECK(axis.span == 7);
  }
  const Axis far = make_axis({1e300, 1e-300}, 7, 0, 70);
  CHECK(far.span > 0);
  CHECK(far.begin() == far.end(7));
  const Axis nothing = make_axis({}, 0, 5, 5);
  CHECK(nothing.span == 1);
  CHECK(nothing.x1 > nothing.x0);
}

TEST_CASE("ticks are round numbers with room between them") {
  CHECK(axis_ticks(make_axis({}, 100, 0, 1000), 100, 50) ==
        std::vector<int>{0,  5,  10, 15, 20, 25, 30, 35, 40, 45,
                         50, 55, 60, 65, 70, 75, 80, 85, 90, 95});
  CHECK(axis_ticks(make_axis({}, 100, 0, 1000), 100, 51).size() == 10);  // every 10
  CHECK(axis_ticks(make_axis({3.5, 3}, 100, 0, 300), 100, 50) == std::vector<int>{4, 5, 6});
  CHECK(axis_ticks(make_axis({}, 0, 0, 100), 0, 50).empty());
  CHECK(axis_ticks(make_axis({}, 2'000'000'000, 0, 100), 2'000'000'000, 30).size() <= 4);
}

}  // namespace tideline::render
