// The level view: topological levels from left to right with their ops stacked vertically, and
// above them the host lane with the swapped tensors.
#pragma once

#include <optional>

#include "render/view/axis.h"
#include "render/view/bookmark_marks.h"
#include "render/view/canvas.h"
#include "render/view/hit.h"
#include "render/view/levels_paint.h"
#include "render/view/op_layout.h"
#include "render/view/palette.h"
#include "render/view/swap_layout.h"

namespace tideline::render {

struct LevelsLayout {
  OpLayout ops;
  SwapLayout swaps;
};
/// Computes both layouts. Cost: layout_ops and layout_swaps. Thread: pure.
[[nodiscard]] LevelsLayout layout_levels(const Scene& scene);

/// The options of one frame. Pointers are not null and must outlive this.
struct LevelsLook {
  const Scene* scene = nullptr;
  const OpLayout* ops = nullptr;
  const SwapLayout* swaps = nullptr;
  const Palette* palette = nullptr;
  const LevelsPaint* paint = nullptr;  ///< null: colours say phases, and the parts of a plan
  Rect area;
  VisibleRange range;
  double y_scroll_px = 0;
  double y_zoom = 1;  ///< 1: all rows fit
  std::optional<TensorId> selected, hovered;
  std::optional<double> cursor;       ///< level
  std::optional<double> player = {};  ///< level of the step player, whose moment is drawn
  bool show_candidates = true;
  bool show_control_edges = false;
  float font_px = 15;
  std::vector<BookmarkMark> marks = {};  ///< bookmarks at the axis
};

/// The horizontal axis, by which panels map mouse positions and the memory view aligns.
[[nodiscard]] Axis levels_axis(const LevelsLook& look);
/// The largest useful y_scroll_px.
[[nodiscard]] double most_scroll_px(const LevelsLook& look);

/// Draws a frame with at most a few thousand calls of the canvas, whatever the graph and the zoom.
/// Cost: O(pixels + visible items). Thread: pure.
void draw_levels(Canvas& canvas, const LevelsLook& look);

/// The topmost item that draw_levels draws at `point`. Cost: as placing the bars. Thread: pure.
[[nodiscard]] Hit hit_levels(const LevelsLook& look, Point point);

}  // namespace tideline::render
