// The chart of a sweep: device peak and time of a step, as heat maps over two parameters or as
// points over one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/view/canvas.h"
#include "render/view/legend.h"
#include "render/view/number_axis.h"
#include "render/view/palette.h"
#include "render/view/sweep_grid.h"

namespace tideline::render {

/// The geometry, with (0, 0) at the left upper corner. Texts do not overlap. What does not fit the
/// budget is hatched in a map and hollow among points; the best is framed.
struct SweepChart {
  enum class Quantity : std::uint8_t { kPeak, kTime };
  struct Text {
    std::string text;
    Rect box;
    bool is_dim = true;
  };
  struct Mark {
    Rect box;              ///< of the cell; of a point around it
    double share_0_1 = 0;  ///< from the least of those that fit to the most
    bool fits = true;
    std::string text;  ///< its value; empty where that has no room
  };
  /// One of the two charts.
  struct Plot {
    Quantity quantity = Quantity::kPeak;
    Rect area;                       ///< inside the axes
    std::vector<Mark> marks;         ///< by SweepGrid::cells
    std::vector<Text> texts;         ///< title, axes and legend
    std::vector<float> grid_px;      ///< of points: where round values are
    Rect ramp;                       ///< of a map: from the least to the most
    std::optional<float> budget_px;  ///< of points: its line
  };
  float width_px = 0, height_px = 0, text_px = 0;
  bool is_map = true;
  std::optional<std::size_t> best;  ///< index of the marks
  Plot peak, time;
  Legend words;
};

/// Lays out the chart; `measure` is asked for widths of texts alone. Cost: O(cells). Thread: pure.
[[nodiscard]] SweepChart layout_sweep(const SweepGrid& grid, float width_px, float height_px,
                                      float font_px, const Canvas& measure);

/// Draws a chart with its left upper corner at `at`. Cost: O(cells).
void draw_sweep(Canvas& canvas, const Palette& palette, const SweepChart& chart, Point at);

}  // namespace tideline::render
