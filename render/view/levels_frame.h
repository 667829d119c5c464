// One frame of the level view, measured: where lanes and rows lie, which bars stand where. Drawing
// and hit tests share it, so that they cannot disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "render/view/levels_view.h"

namespace tideline::render {

/// A bar of the host lane with its place.
struct PlacedBar {
  const SwapBar* bar = nullptr;
  std::int32_t index = 0;  ///< of SwapLayout::bars, or of groups
  bool is_group = false;
  Rect rect;
};

/// How much of an op there is room for.
enum class Detail : std::uint8_t {
  kBins,   ///< cells of several levels together
  kCells,  ///< a bar for each scope and level
  kBoxes,
  kNames,
};

struct LevelsFrame {
  const LevelsLook& look;
  Axis axis = {};
  Detail detail = Detail::kBins;
  std::size_t bin = 0;  ///< index of OpLayout::bins
  Rect lane = {};       ///< host memory with its heading
  Rect bars = {};       ///< where bars may be
  Rect heading = {};    ///< of the ops
  Rect rows = {};       ///< where ops may be
  Rect arcs = {};       ///< candidates
  Rect ticks = {}, legend = {};
  float unit_px = 1;                ///< a height of 1
  float row_head_px = 0;            ///< names above each row
  float small_px = 12;              ///< small text
  std::vector<float> row_top = {};  ///< by row, in pixels

  [[nodiscard]] Rect box_rect(const OpBox& box) const;
  [[nodiscard]] float x_middle(std::int32_t level) const { return axis.x(level + 0.5); }
};

[[nodiscard]] LevelsFrame measure_levels(const LevelsLook& look);
/// Bars that are at least partly visible, at most kMostBars; none overlaps another one.
[[nodiscard]] std::vector<PlacedBar> place_bars(const LevelsFrame& frame);
/// A point on the curve of a candidate, `share` of the way along.
struct ArcShape {
  Point from, control_a, control_b, to;
  [[nodiscard]] Point at(float share_0_1) const;
};
[[nodiscard]] ArcShape arc_shape(const LevelsFrame& frame, const LongLived& tensor);
/// Candidates to show: those that are visible, at most so many that the eye can follow.
[[nodiscard]] std::vector<const LongLived*> visible_candidates(const LevelsFrame& frame);

// The parts of a frame, back to front.
void draw_ground(Canvas& canvas, const LevelsFrame& frame);
void draw_ops(Canvas& canvas, const LevelsFrame& frame);
void draw_edges(Canvas& canvas, const LevelsFrame& frame);
void draw_swaps(Canvas& canvas, const LevelsFrame& frame);
void draw_candidates(Canvas& canvas, const LevelsFrame& frame);
void draw_highlights(Canvas& canvas, const LevelsFrame& frame);
void draw_captions(Canvas& canvas, const LevelsFrame& frame);

/// One box with as much text as fits; `alpha` dims it.
void draw_box(Canvas& canvas, const LevelsFrame& frame, const OpBox& box, double alpha);

}  // namespace tideline::render
