// Points of a line that nobody would miss.
#pragma once

#include <span>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::render {

/// `points` without those that lie on a straight way between their neighbours: every point that is
/// left out is at most `tolerance_px` away from the line through those that stay. The first and the
/// last stay. Precondition: all are finite. Cost: O(points). Thread: pure.
[[nodiscard]] std::vector<Point> without_straight_points(std::span<const Point> points,
                                                         float tolerance_px);

}  // namespace tideline::render
