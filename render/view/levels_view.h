// The level view: topological levels from left to right with their ops stacked vertically, and
// above them the host lane with the swapped tensors.
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
/// Computes both layouts. Cost: layout_ops and layout_swaps. Thread: pure.
[[nodiscard]] LevelsLayout layout_levels(const Scene& scene);

/// The options of one frame. Pointers are not null and must outlive this.
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
  std::optional<double> cursor;       ///< level
  std::optional<double> player = {};  ///< level of the step player, whose moment is drawn
  bool show_candidates = true;
  bool show_control_edges = false;
  float font_px = 15;
};

/// The horizontal axis, by which panels map mouse positions and the memory view aligns.
[[nodiscard]] Axis levels_axis(const LevelsLook& look);
/// The largest useful y_scroll_px.
[[nodiscard]] double most_scroll_px(const LevelsLook& look);

/// Draws a frame with at most a few thousand calls of the canvas, whatever the graph and the zoom.
/// Cost: O(pixels + visible items). Thread: pure.
void draw_levels(Canvas& canvas, const LevelsLook& look);

/// The swaps that leave or come back within a pixel or a level, where there are too many for bars;
/// or those that do neither at the visible levels, but are under way there.
struct SwapColumn {
  float x0 = 0, x1 = 0;
  std::int32_t from_level = 0, to_level = 0;  ///< both included
  std::int32_t outs = 0, ins = 0, late = 0;   ///< swap-outs, swap-ins, and of these the late ones
  Bytes out_bytes = 0, in_bytes = 0, late_bytes = 0;
  std::int32_t passing = 0;  ///< swaps under way all along
  Bytes passing_bytes = 0;
  TensorId largest = {};  ///< of its tensors
  Bytes largest_bytes = -1;
};

enum class HitKind : std::uint8_t {
  kNothing,
  kOp,
  kFolded,
  kSwap,
  kSwapGroup,
  kCandidate,
  kCopyOut,  ///< of the link
  kCopyIn,
  kStall,  ///< the computation waits
  kShare,  ///< the step as a bar of computing and waiting
};

/// What is under a point.
struct Hit {
  HitKind kind = HitKind::kNothing;
  std::optional<TensorId> tensor = {};  ///< to select; of an op its output 0
  std::span<const OpId> ops = {};       ///< of the box
  std::int32_t swap = -1;  ///< index of SwapLayout::bars; of a copy or a stall, of LinkLayout
  SwapColumn column = {};  ///< for kSwapGroup
  std::optional<double> level = {};  ///< nullopt outside of the levels, and in the lens
  std::optional<Rect> rect = {};     ///< of it as far as it is seen; nullopt for nothing and curves
};
/// The topmost item that draw_levels draws at `point`. Cost: as placing the bars. Thread: pure.
[[nodiscard]] Hit hit_levels(const LevelsLook& look, Point point);

}  // namespace tideline::render
