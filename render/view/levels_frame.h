// The geometry of one frame of the level view: lanes, rows and bars. Drawing and hit tests share it
// and therefore agree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/view/levels_view.h"

namespace tideline::render {

/// A bar of the host lane with its rectangle.
struct PlacedBar {
  const SwapBar* bar = nullptr;
  std::int32_t index = 0;  ///< of SwapLayout::bars or groups
  bool is_group = false;
  Rect rect;
};

/// The level of detail at which ops are drawn.
enum class Detail : std::uint8_t {
  kBins,   ///< cells of several levels, merged
  kCells,  ///< one bar for each band and level
  kBoxes,
  kNames,
};

/// Of an op that does not run in the step.
inline constexpr double kNotRunAlpha = 0.3;

struct LevelsFrame {
  const LevelsLook& look;
  Axis axis = {};
  Detail detail = Detail::kBins;
  std::size_t bin = 0;  ///< index of OpLayout::bins
  Rect lane = {};       ///< host memory with its heading
  Rect bars = {};       ///< the part of the lane for bars
  Rect heading = {};    ///< of the ops
  Rect rows = {};       ///< the area of the ops
  Rect arcs = {};       ///< candidates
  Rect ticks = {}, legend = {};
  float unit_px = 1;                ///< pixels for a height of 1
  float row_head_px = 0;            ///< names above each row
  float small_px = 12;              ///< small text
  std::vector<float> row_top = {};  ///< by row, in pixels

  [[nodiscard]] Rect box_rect(const OpBox& box) const;
  [[nodiscard]] float x_middle(std::int32_t level) const { return axis.x(level + 0.5); }
};

[[nodiscard]] LevelsFrame measure_levels(const LevelsLook& look);
/// The bars that are at least partly visible, at most kMostBars, without overlap.
[[nodiscard]] std::vector<PlacedBar> place_bars(const LevelsFrame& frame);
/// The curve of a candidate. `at` is the point at parameter `share_0_1`.
struct ArcShape {
  Point from, control_a, control_b, to;
  [[nodiscard]] Point at(float share_0_1) const;
};
[[nodiscard]] ArcShape arc_shape(const LevelsFrame& frame, const LongLived& tensor);
/// The visible candidates, limited to a number that remains legible.
[[nodiscard]] std::vector<const LongLived*> visible_candidates(const LevelsFrame& frame);

// The parts of a frame, back to front.
void draw_ground(Canvas& canvas, const LevelsFrame& frame);
void draw_ops(Canvas& canvas, const LevelsFrame& frame);
void draw_edges(Canvas& canvas, const LevelsFrame& frame);
void draw_parts(Canvas& canvas, const LevelsFrame& frame);
void draw_swaps(Canvas& canvas, const LevelsFrame& frame);
void draw_candidates(Canvas& canvas, const LevelsFrame& frame);
void draw_highlights(Canvas& canvas, const LevelsFrame& frame);
void draw_captions(Canvas& canvas, const LevelsFrame& frame);

/// Precondition: the band is a part.
[[nodiscard]] Color part_color(const LevelsFrame& frame, const Band& band);
/// For ops that belong to no part. Beside parts, which have colours of their own, it is dim.
[[nodiscard]] Color phase_color(const LevelsFrame& frame, Phase phase);
/// The colour of the part or, without one, of the phase.
[[nodiscard]] Color ops_color(const LevelsFrame& frame, std::uint8_t band, Phase phase);

/// Draws one box with as much text as fits; `alpha` dims it.
void draw_box(Canvas& canvas, const LevelsFrame& frame, const OpBox& box, double alpha);

}  // namespace tideline::render
