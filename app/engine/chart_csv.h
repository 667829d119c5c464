// The values of a chart of a log as a table.
#pragma once

#include <string>
#include <vector>

#include "render/view/scalar_chart.h"

namespace tideline::app {

/// Lines "run,step,wall_time,value", a heading first: the points of `curves` as they were logged,
/// without smoothing. Cost: O(points). Thread: pure.
[[nodiscard]] std::string chart_csv(const std::vector<render::RunCurve>& curves);

}  // namespace tideline::app
