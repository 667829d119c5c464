// Peak and time over the batch size, for the ways to train a graph: what the fit chart draws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace tideline::render {

/// A step with one batch size, simulated.
struct FitPoint {
  std::int64_t batch = 0;
  Bytes device_peak = 0;
  double example_ns = 0;  ///< time of the step divided by the batch size; 0: not known
  bool fits = false;      ///< the peak is within the budget
};

/// One way, with ascending batch sizes; gaps are batch sizes for which it finds no plan.
struct FitLine {
  std::string title;  ///< "as it is", "LMS v2"
  std::vector<FitPoint> points;
};

struct FitCurve {
  std::vector<FitLine> lines;  ///< "as it is" first, at most four
  Bytes budget = 0;            ///< of device memory
  std::int64_t batch = 0;      ///< that was asked about
  [[nodiscard]] bool empty() const { return lines.empty(); }
};

}  // namespace tideline::render
