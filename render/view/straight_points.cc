// Problem: a step line over a thousand pixels has two thousand points, most of which lie between
// two others at the same height. Whoever sends the line elsewhere wants to leave them out, also
// where heights differ by less than can be seen.
// Idea: from the last point that stays, the anchor, each point passed over allows only directions
// that pass it within the tolerance: an angle around its own direction. As long as the next point
// lies within all angles so far, and no nearer than any point before, the way to it from the anchor
// passes all of them. When it does not, the point before it stays and is the next anchor.
// Example, tolerance 0.1: of (0,0) (5,0.05) (9,0) (9,4) only (5,0.05) is left out; a needle
// (0,0) (0,7) (0,0) keeps its tip, because the way back comes nearer to the anchor.
// Cost: O(points), a root each. Limit: greedy, so not always the fewest points.
// Source: the cone intersection of J. Sklansky and V. Gonzalez, Fast polygonal approximation of
// digitized curves, Pattern Recognition 12 (1980). Tested by
// unit/view/straight_points_test.cc.
#include "render/view/straight_points.h"

#include <algorithm>
#include <cmath>

namespace tideline::render {
namespace {

struct Vector {
  double x = 0, y = 0;
};

double cross(Vector a, Vector b) {
  return a.x * b.y - a.y * b.x;
}

double dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y;
}

// The directions that are still allowed from an anchor, and how far the farthest point is.
class Cone {
 public:
  Cone(Point anchor, double tolerance) : anchor_(anchor), tolerance_(tolerance) {}

  // Whether the way to `point` passes all points so far.
  [[nodiscard]] bool reaches(Point point) const {
    const Vector way = from_anchor(point);
    if (dot(way, way) < farthest_squared_) return false;
    return !is_narrowed_ || (cross(right_, way) >= 0 && cross(way, left_) >= 0 &&
                             dot(right_, way) > 0 && dot(left_, way) > 0);
  }

  // From now on ways have to pass `point`, too.
  void pass(Point point) {
    const Vector way = from_anchor(point);
    const double squared = dot(way, way);
    farthest_squared_ = std::max(farthest_squared_, squared);
    if (squared <= tolerance_ * tolerance_) return;  // near enough to the anchor itself
    const double sine = tolerance_ / std::sqrt(squared);
    const double cosine = std::sqrt(1 - sine * sine);
    const Vector right = {way.x * cosine + way.y * sine, way.y * cosine - way.x * sine};
    const Vector left = {way.x * cosine - way.y * sine, way.y * cosine + way.x * sine};
    if (!is_narrowed_ || cross(right_, right) > 0) right_ = right;
    if (!is_narrowed_ || cross(left, left_) > 0) left_ = left;
    is_narrowed_ = true;
  }

 private:
  [[nodiscard]] Vector from_anchor(Point point) const {
    return {static_cast<double>(point.x) - anchor_.x, static_cast<double>(point.y) - anchor_.y};
  }

  Point anchor_;
  double tolerance_;
  double farthest_squared_ = 0;
  bool is_narrowed_ = false;
  Vector right_, left_;  // the borders, when narrowed: y downwards, so by name only
};

}  // namespace

std::vector<Point> without_straight_points(std::span<const Point> points, float tolerance_px) {
  std::vector<Point> kept;
  if (points.empty()) return kept;
  kept.push_back(points.front());
  Cone cone(points.front(), tolerance_px);
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    cone.pass(points[i]);
    if (cone.reaches(points[i + 1])) continue;
    kept.push_back(points[i]);
    cone = Cone(points[i], tolerance_px);
  }
  if (points.size() > 1) kept.push_back(points.back());
  return kept;
}

}  // namespace tideline::render
