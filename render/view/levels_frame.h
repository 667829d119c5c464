// The geometry of one frame of the level view: lanes, rows and bars. Drawing and hit tests share it
// and therefore agree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/view/legend.h"
#include "render/view/levels_view.h"
#include "render/view/swap_lens.h"

namespace tideline::render {

/// A bar of the host lane with its place.
struct PlacedBar {
  const SwapBar* bar = nullptr;
  std::int32_t index = 0;  ///< of SwapLayout::bars
  Rect rect;               ///< its time on the host; at least kLeastBarPx wide
  float reach_px = 0;      ///< the right end of its way in, or of its lateness
};
inline constexpr float kLeastBarPx = 3;

inline constexpr std::size_t kMostBars = 400;

/// The level of detail at which ops are drawn.
enum class Detail : std::uint8_t {
  kBins,   ///< cells of several levels, merged
  kCells,  ///< one bar for each band and level
  kBoxes,
  kNames,
};

/// Of an op that does not run in the step.
inline constexpr double kNotRunAlpha = 0.3;
inline constexpr double kBarAlpha = 0.62;  ///< of a bar that is not selected

struct LevelsFrame {
  const LevelsLook& look;
  Axis axis = {};
  Detail detail = Detail::kBins;
  std::size_t bin = 0;  ///< index of OpLayout::bins
  Rect lane = {};       ///< host memory with its heading
  Rect bars = {};       ///< the part of the lane for bars
  Rect link = {};       ///< transfers and waiting; empty without copies, or without room
  Rect heading = {};    ///< of the ops
  Rect rows = {};       ///< the area of the ops
  Rect arcs = {};       ///< candidates
  Rect lens = {};       ///< of the selected swap, instead of candidates; empty without room
  std::optional<SwapLens> swap = {};  ///< that is selected
  Rect ticks = {}, legend = {};
  Legend words = {};                 ///< of the legend
  float row_head_px = 0;             ///< names above each row
  float small_px = 12;               ///< small text
  std::vector<float> row_top = {};   ///< by row, in pixels
  std::vector<float> row_unit = {};  ///< by row: pixels for a height of 1
  std::vector<float> row_px = {};    ///< by row: of what is visible; 0 for a row without
  float content_px = 0;              ///< of all rows with their names
  Bytes tallest = 0;                 ///< of the highest visible cell that is to scale
  /// Swaps whose bar or way crosses the visible levels, at most kMostBars, without those of
  /// `passing`. The bars do not overlap.
  /// Where they are summed up, only what is selected or hovered, on top of them.
  std::vector<PlacedBar> placed = {};
  bool is_summed = false;                ///< too many swaps for bars
  std::vector<SwapColumn> columns = {};  ///< of them; by x, without empty ones
  /// Those that are under way at all visible levels, where they would leave too little room for
  /// bars of the others: a band above these.
  SwapColumn passing = {};
  Rect passing_band = {};

  [[nodiscard]] Rect box_rect(const OpBox& box) const;
  [[nodiscard]] float x_middle(std::int32_t level) const { return axis.x(level + 0.5); }
};

[[nodiscard]] LevelsFrame measure_levels(const LevelsLook& look);
/// Chooses the swaps that are shown and places them below `frame.bars.y0`, or sums them up in
/// columns. Returns the height that they take, at most `most_px`.
float place_lane(LevelsFrame& frame, float most_px);
/// A bar of the sums, which has no place of its own: a line in the middle of the lane.
[[nodiscard]] PlacedBar middle_bar(const LevelsFrame& frame, std::size_t index);
/// Of the lens; 0 if nothing is selected whose times are known, or if it would be too narrow.
[[nodiscard]] float lens_height_px(const LevelsFrame& frame);
/// What it says, in a line. Precondition: a swap is selected.
[[nodiscard]] std::string lens_line(const Canvas& canvas, const LevelsFrame& frame, float size_px,
                                    float width_px);
/// The copy or the stall that is drawn at `point` of the link track.
[[nodiscard]] Hit hit_link(const LevelsFrame& frame, Point point);
/// Whether the swap is selected or hovered.
[[nodiscard]] bool is_marked(const LevelsFrame& frame, const SwapBar& bar);
/// Of the legend, in the colours of the drawing.
[[nodiscard]] std::vector<LegendEntry> legend_entries(const LevelsFrame& frame);
/// A cubic curve; `at` is the point at parameter `share_0_1`.
struct CurveShape {
  Point from, control_a, control_b, to;
  [[nodiscard]] Point at(float share_0_1) const;
};
/// Of a candidate.
[[nodiscard]] CurveShape arc_shape(const LevelsFrame& frame, const LongLived& tensor);
/// Of a swapped tensor, from its producer to its bar, and from the bar to the reader of a copy.
[[nodiscard]] CurveShape way_out(const LevelsFrame& frame, const PlacedBar& bar);
[[nodiscard]] CurveShape way_in(const LevelsFrame& frame, const PlacedBar& bar,
                                const SwapSpan& span);
/// The visible candidates, limited to a number that remains legible.
[[nodiscard]] std::vector<const LongLived*> visible_candidates(const LevelsFrame& frame);

// The parts of a frame, back to front.
void draw_ground(Canvas& canvas, const LevelsFrame& frame);
void draw_ops(Canvas& canvas, const LevelsFrame& frame);
void draw_edges(Canvas& canvas, const LevelsFrame& frame);
void draw_parts(Canvas& canvas, const LevelsFrame& frame);
void draw_link(Canvas& canvas, const LevelsFrame& frame);
void draw_swaps(Canvas& canvas, const LevelsFrame& frame);
void draw_candidates(Canvas& canvas, const LevelsFrame& frame);
void draw_highlights(Canvas& canvas, const LevelsFrame& frame);
void draw_player(Canvas& canvas, const LevelsFrame& frame);
/// Where the level of the player's cursor is written, among the ticks; nullopt if it is out of
/// sight.
[[nodiscard]] std::optional<Rect> player_label(const Canvas& canvas, const LevelsFrame& frame);
void draw_lens(Canvas& canvas, const LevelsFrame& frame);
void draw_captions(Canvas& canvas, const LevelsFrame& frame);

/// Precondition: the band is a part.
[[nodiscard]] Color part_color(const LevelsFrame& frame, const Band& band);
/// For ops that belong to no part. Beside parts, which have colours of their own, it is dim.
[[nodiscard]] Color phase_color(const LevelsFrame& frame, Phase phase);
/// The colour of the part or, without one, of the phase.
[[nodiscard]] Color ops_color(const LevelsFrame& frame, std::uint8_t band, Phase phase);

/// An edge of the file that the result does not have, since a copy is read instead, is dashed.
/// Returns the number of calls.
int draw_tensor_edge(Canvas& canvas, const LevelsFrame& frame, TensorId tensor, OpId consumer,
                     const CurveShape& shape, Color color, float width_px);

/// Draws one box with as much text as fits; `alpha` dims it.
void draw_box(Canvas& canvas, const LevelsFrame& frame, const OpBox& box, double alpha);

}  // namespace tideline::render
