// The chart of a search: device peak and added time of everything that it tried, and the budget.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "render/view/canvas.h"
#include "render/view/chart_frame.h"
#include "render/view/legend.h"
#include "render/view/palette.h"
#include "render/view/scene.h"

namespace tideline::render {

/// The geometry, with (0, 0) at the left upper corner. To the right the device peak, upwards the
/// time that a step takes longer than without swaps, or on a model without times the host peak.
/// What does not fit the budget is hollow. Texts do not overlap.
struct TriedChart : ChartFrame {
  struct Mark {
    Point at;
    std::size_t trial = 0;  ///< index of SearchResult::trials
    bool fits = false;
  };
  struct Label {
    std::string text;
    Rect box;
    bool is_budget = false;
  };
  std::string title, note;            ///< with the units of the axes; how many were tried
  std::vector<Mark> marks;            ///< in the order of the search
  std::optional<std::size_t> chosen;  ///< index of `marks`: whose values the plan has
  std::optional<float> budget_px;     ///< of its line; nullopt where it lies beyond the axis
  std::vector<Label> labels;          ///< of the budget, and of what is chosen
  Legend words;
  std::string why_empty;  ///< without a search: what to do
};

/// Lays out the last search of the scene; `measure` is asked for widths of texts alone. Cost:
/// O(trials). Thread: pure.
[[nodiscard]] TriedChart layout_tried(const Scene& scene, float width_px, float height_px,
                                      float font_px, const Canvas& measure);

/// Draws a chart with its left upper corner at `at`; `hovered` is an index of its marks.
void draw_tried(Canvas& canvas, const Palette& palette, const TriedChart& chart, Point at,
                std::optional<std::size_t> hovered);

/// The mark that is nearest to `at`, a place in the chart, if there is one near it; of several at
/// one place the first. Cost: O(trials).
[[nodiscard]] std::optional<std::size_t> hit_tried(const TriedChart& chart, Point at);

/// A trial in words: its values, "device peak 167.20 MiB, fits", "step 12.3 ms, 4.1 ms more".
[[nodiscard]] std::vector<std::string> trial_lines(const TriedSettings& tried, std::size_t trial);

}  // namespace tideline::render
