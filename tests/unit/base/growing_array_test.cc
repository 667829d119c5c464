#include "core/base/growing_array.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace tideline {
namespace {

struct Point {
  double value = 0;
  std::int64_t step = 0;
  std::uint32_t more = 0;
};

bool holds(const GrowingArray<Point>& points, std::int64_t count) {
  if (points.size() != static_cast<std::size_t>(count)) return false;
  std::int64_t at = 0;
  for (const Point& point : points) {
    if (point.step != at || point.value != 0.5 * static_cast<double>(at)) return false;
    ++at;
  }
  return at == count;
}

}  // namespace

TEST_CASE("a list that grows keeps its elements, in small memory and in mapped") {
  GrowingArray<Point> points;
  CHECK(points.empty());
  CHECK(points.begin() == points.end());
  std::int64_t count = 0;
  std::vector<Point> part;
  // Over the border between the two, one by one and by thousands.
  for (const std::int64_t more : {1, 1, 0, 30, 2000, 3000, 1, 400'000, 5}) {
    part.clear();
    for (std::int64_t i = 0; i < more; ++i) {
      part.push_back({0.5 * static_cast<double>(count), count, 0});
      ++count;
    }
    points.append(part);
    REQUIRE(holds(points, count));
    CHECK(points.capacity() >= points.size());
    CHECK(points.capacity() <= points.size() + points.size() / 2 + 4096 / sizeof(Point) + 1);
  }
  CHECK(points.front().step == 0);
  CHECK(points.back().step == count - 1);
  CHECK(points.at(7).step == 7);
  CHECK_THROWS_AS(points.at(points.size()), std::out_of_range);
}

TEST_CASE("room for elements is written by whoever asked for it") {
  GrowingArray<Point> points;
  std::int64_t count = 0;
  for (const std::size_t more : {1U, 7U, 30'000U}) {
    Point* to = points.extend(more);
    for (std::size_t i = 0; i < more; ++i, ++count) {
      to[i] = {0.5 * static_cast<double>(count), count, 0};
    }
    CHECK(holds(points, count));
  }
}

TEST_CASE("a copy of a list that grows is another list; what was moved from is empty") {
  const std::size_t size = GENERATE(0U, 3U, 20'000U);
  std::vector<Point> part(size);
  for (std::size_t i = 0; i < size; ++i) {
    part[i] = {0.5 * static_cast<double>(i), static_cast<std::int64_t>(i), 0};
  }
  const auto count = static_cast<std::int64_t>(size);
  GrowingArray<Point> points;
  points.append(part);
  GrowingArray<Point> copy = points;
  copy.append(std::array{Point{-1, -1, 0}});
  CHECK(holds(points, count));
  CHECK(copy.size() == size + 1);
  GrowingArray<Point> moved = std::move(points);
  CHECK(holds(moved, count));
  points = copy;
  CHECK(points.back().step == -1);
  copy = std::move(moved);
  CHECK(holds(copy, count));
}

}  // namespace tideline
