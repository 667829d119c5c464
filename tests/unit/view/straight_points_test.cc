#include "render/view/straight_points.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace tideline::render {
namespace {

using Points = std::vector<Point>;

double distance(Point p, Point a, Point b) {
  const double x = static_cast<double>(b.x) - a.x, y = static_cast<double>(b.y) - a.y;
  const double squared = x * x + y * y;
  const double along = squared == 0 ? 0 : ((p.x - a.x) * x + (p.y - a.y) * y) / squared;
  const double share = std::min(1.0, std::max(0.0, along));
  return std::hypot(a.x + share * x - p.x, a.y + share * y - p.y);
}

double distance(Point p, const Points& line) {
  double least = 1e9;
  for (std::size_t i = 1; i < line.size(); ++i) {
    least = std::min(least, distance(p, line[i - 1], line[i]));
  }
  return least;
}

}  // namespace

TEST_CASE("the points of a step line that stay are its corners") {
  const Points steps = {{0, 5}, {1, 5}, {1, 5}, {2, 5}, {2, 3}, {2, 1}, {3, 1}, {4, 1}};
  CHECK(without_straight_points(steps, 0.05F) == Points{{0, 5}, {2, 5}, {2, 1}, {4, 1}});
}

TEST_CASE("a needle keeps its tip, though the way back lies on the way there") {
  const Points needle = {{0, 0}, {0, 7}, {0, 0}};
  CHECK(without_straight_points(needle, 0.05F) == needle);
  const Points there_and_on = {{0, 0}, {3, 0}, {9, 0}, {6, 0}, {7, 0}};
  CHECK(without_straight_points(there_and_on, 0.05F) == Points{{0, 0}, {9, 0}, {6, 0}, {7, 0}});
}

TEST_CASE("short lines stay as they are") {
  CHECK(without_straight_points({}, 1).empty());
  CHECK(without_straight_points(Points{{1, 2}}, 1) == Points{{1, 2}});
  CHECK(without_straight_points(Points{{1, 2}, {1, 2}}, 1) == Points{{1, 2}, {1, 2}});
}

TEST_CASE("a slow bend is not taken for a straight way") {
  Points bend;
  for (int i = 0; i <= 1000; ++i) {
    const auto x = static_cast<float>(i);
    bend.push_back({x, x * x / 1000});
  }
  const Points kept = without_straight_points(bend, 0.05F);
  CHECK(kept.size() < 150);
  CHECK(kept.size() > 20);
  for (const Point point : bend) CHECK(distance(point, kept) <= 0.0501);
}

TEST_CASE("no point that is left out is farther away than the tolerance") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Points line;
    Point at = {0, 50};
    for (int i = 0; i < 300; ++i) {
      // Steps, jitter below and above the tolerance, jumps back, and points that repeat.
      switch (random() % 5) {
        case 0: at.x += 1; break;
        case 1: at.y += static_cast<float>(random() % 100) / 500 - 0.1F; break;
        case 2: at.y = static_cast<float>(random() % 100); break;
        case 3: at.x -= static_cast<float>(random() % 3) / 10; break;
        default: break;
      }
      line.push_back(at);
    }
    const Points kept = without_straight_points(line, 0.05F);
    REQUIRE(kept.front() == line.front());
    REQUIRE(kept.back() == line.back());
    CHECK(kept.size() <= line.size());
    // Each lies by the stretch between the kept points around it, not by any other.
    std::size_t stretch = 1;
    double worst = 0;
    for (const Point point : line) {
      while (stretch + 1 < kept.size() &&
             distance(point, kept[stretch - 1], kept[stretch]) > 0.0501) {
        ++stretch;
      }
      worst = std::max(worst, distance(point, kept[stretch - 1], kept[stretch]));
    }
    INFO("round " << round);
    CHECK(worst <= 0.0501);
  }
}

}  // namespace tideline::render
