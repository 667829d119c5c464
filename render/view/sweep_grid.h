// What the picture of a sweep shows, as plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace tideline::render {

struct SweepAxis {
  std::string name;                 ///< of the parameter
  std::vector<std::string> values;  ///< as they are written, ascending
};

struct SweepCell {
  Bytes device_peak = 0;
  std::int64_t step_ns = 0;
  bool fits = true;  ///< also without a budget
};

/// Plans over one or two parameters. Invariant: there is a cell for each pair of values.
struct SweepGrid {
  SweepAxis x;
  std::optional<SweepAxis> y;       ///< nullopt: one parameter was varied
  std::vector<SweepCell> cells;     ///< the values of `y` change first
  std::optional<std::size_t> best;  ///< index of `cells`
  bool has_budget = false;
  std::optional<Bytes> budget = {};  ///< where all cells have the same
};

}  // namespace tideline::render
