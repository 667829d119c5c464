// The level view: topological levels from left to right, the ops of each below each other, and
// above them host memory with the tensors that wait there.
#pragma once

#include <optional>
#include <span>

#include "render/view/axis.h"
#include "render/view/canvas.h"
#include "render/view/op_layout.h"
#include "render/view/palette.h"
#include "render/view/swap_layout.h"

namespace tideline::render {

struct LevelsLayout {
  OpLayout ops;
  SwapLayout swaps;
};
/// Both parts at once. Thread: pure.
[[nodiscard]] LevelsLayout layout_levels(const Scene& scene);

/// What one frame looks like. Pointers are never null and outlive the look.
struct LevelsLook {
  const Scene* scene = nullptr;
  const OpLayout* ops = nullptr;
  const SwapLayout* swaps = nullptr;
  const Palette* palette = nullptr;
  Rect area;
  VisibleRange range;
  double y_scroll_px = 0;
  double y_zoom = 1;  ///< 1: all rows fit
  std::optional<TensorId> selected, hovered;
  std::optional<double> cursor;  ///< level
  bool show_candidates = true;
  bool show_control_edges = false;
  float font_px = 15;
};

/// The horizontal axis of a look: panels map the mouse with it, the memory view lies below it.
[[nodiscard]] Axis levels_axis(const LevelsLook& look);
/// How far y_scroll_px can go.
[[nodiscard]] double most_scroll_px(const LevelsLook& look);

/// At most a few thousand calls of the canvas, whatever the graph and the zoom.
/// Cost: O(pixels + what is visible). Thread: pure.
void draw_levels(Canvas& canvas, const LevelsLook& look);

enum class HitKind : std::uint8_t { kNothing, kOp, kFolded, kSwap, kSwapGroup, kCandidate };

/// What lies under a point.
struct Hit {
  HitKind kind = HitKind::kNothing;
  std::optional<TensorId> tensor;  ///< to select; of an op its output 0
  std::span<const OpId> ops = {};  ///< of the box
  std::int32_t swap = -1;          ///< index of SwapLayout::bars or groups
  std::optional<double> level;     ///< nothing outside of the picture
};
/// What draw_levels has drawn last at `point`. Cost: as a frame's bars. Thread: pure.
[[nodiscard]] Hit hit_levels(const LevelsLook& look, Point point);

}  // namespace tideline::render
