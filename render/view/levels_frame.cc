#include "render/view/levels_frame.h"

#include <algorithm>
#include <cmath>

#include "render/view/legend.h"
#include "render/view/link_track.h"

namespace tideline::render {
namespace {

constexpr float kUsualFontPx = 15;  // the sizes below are for this one
constexpr double kNamesPx = 40;     // a level, for names
constexpr double kBoxesPx = 8;
constexpr double kCellsPx = 2;
constexpr double kBinPx = 1.5;
constexpr std::uint32_t kMostBoxesDrawn = 5000;
constexpr std::uint32_t kMostCellsDrawn = 6000;
constexpr std::size_t kMostArcs = 80;
constexpr double kLeastArcShare = 0.02;  // of what the longest-lived large tensor takes up
constexpr float kLaneShare = 0.3F;       // of the height, at most
constexpr float kLeastLaneShare = 1.2F;  // of the font's
constexpr float kLaneGapShare = 0.3F;
constexpr float kHeadingShare = 1.5F;
constexpr float kLegendShare = 0.16F;            // of the height, before its words get smaller
constexpr float kLeastLinesBesideLegend = 9.5F;  // or the ops would have no room
constexpr float kArcShare = 0.11F;
constexpr float kLeastRowsShare = 0.4F;         // of the height, for the ops: before arcs are shown
constexpr float kLeastBesideLensShare = 0.22F;  // of the height, for the ops: before it is a line
constexpr float kLeastScaledShare = 0.6F;       // of the rows, for those that are to scale
constexpr float kMostUnitLines = 100;           // so that the lowest cell is not a tower
constexpr float kSideRowShare = 1.6F;
constexpr float kApartShare = 0.5F;

Rect cut_top(Rect& rest, float height) {
  Rect top = rest;
  top.y1 = rest.y0 = std::min(rest.y1, rest.y0 + std::max(0.0F, height));
  return top;
}

Rect cut_bottom(Rect& rest, float height) {
  Rect bottom = rest;
  bottom.y0 = rest.y1 = std::max(rest.y0, rest.y1 - std::max(0.0F, height));
  return bottom;
}

// How many boxes or cells stand at the visible levels; `first` has a place for each bin.
std::uint32_t visible_count(const std::vector<std::uint32_t>& first, const Axis& axis,
                            int level_count, std::size_t bin) {
  if (first.size() < 2) return 0;
  const std::size_t last = first.size() - 1;
  const auto begin = std::min(last, static_cast<std::size_t>(axis.begin()) >> bin);
  const auto end = static_cast<std::size_t>(axis.end(level_count));
  const auto past = std::min(last, end == 0 ? 0 : ((end - 1) >> bin) + 1);
  return past > begin ? first[past] - first[begin] : 0;
}

void choose_detail(LevelsFrame& frame) {
  const OpLayout& ops = *frame.look.ops;
  const double px = frame.axis.px_per_unit() * kUsualFontPx / frame.look.font_px;
  if (px >= kBoxesPx &&
      visible_count(ops.first_box, frame.axis, ops.level_count, 0) <= kMostBoxesDrawn) {
    frame.detail = px >= kNamesPx ? Detail::kNames : Detail::kBoxes;
    return;
  }
  const auto cells = [&](std::size_t bin) {
    return visible_count(ops.bins[bin].first, frame.axis, ops.level_count, bin);
  };
  if (px >= kCellsPx && cells(0) <= kMostCellsDrawn) {
    frame.detail = Detail::kCells;
    return;
  }
  const auto too_fine = [&](std::size_t bin) {
    return frame.axis.px_per_unit() * std::ldexp(1.0, static_cast<int>(bin)) < kBinPx ||
           cells(bin) > kMostCellsDrawn;
  };
  while (frame.bin + 1 < ops.bins.size() && too_fine(frame.bin)) ++frame.bin;
}

// The highest of the visible stacks of cells, by row, and the highest cell that is to scale.
struct VisibleHeights {
  std::vector<float> rows;
  float tallest_cell = 0;
};

VisibleHeights visible_heights(const LevelsFrame& frame) {
  const OpLayout& ops = *frame.look.ops;
  const CellBins& bins = ops.bins[frame.bin];
  VisibleHeights visible = {std::vector<float>(ops.row_height.size(), 0), 0};
  const std::size_t count = bins.first.empty() ? 0 : bins.first.size() - 1;
  const auto end = static_cast<std::size_t>(frame.axis.end(ops.level_count));
  std::vector<float> used(ops.row_height.size());
  for (std::size_t bin = static_cast<std::size_t>(frame.axis.begin()) >> frame.bin;
       bin < count && bin << frame.bin < end; ++bin) {
    std::fill(used.begin(), used.end(), 0.0F);
    for (std::size_t i = bins.first[bin]; i < bins.first[bin + 1]; ++i) {
      const Band& band = ops.bands[bins.cells[i].band];
      used[band.row] = std::min(ops.row_height[band.row], used[band.row] + bins.cells[i].height);
      visible.rows[band.row] = std::max(visible.rows[band.row], used[band.row]);
      if (!band.is_side) {
        visible.tallest_cell = std::max(visible.tallest_cell, bins.cells[i].height);
      }
    }
  }
  return visible;
}

// By row: whether it stands beside the scopes and has a scale of its own.
std::vector<bool> side_rows(const OpLayout& ops) {
  std::vector<bool> is_side(ops.row_height.size(), false);
  for (const Band& band : ops.bands) is_side[band.row] = band.is_side;
  return is_side;
}

// One scale for all rows of scopes, by which the highest visible column fills what the names leave;
// those beside the scopes are two lines high, and a gap apart.
void place_rows(LevelsFrame& frame) {
  const OpLayout& ops = *frame.look.ops;
  const float font = frame.look.font_px;
  const VisibleHeights visible = visible_heights(frame);
  const std::vector<bool> is_side = side_rows(ops);
  frame.tallest = std::llround(static_cast<double>(visible.tallest_cell) * visible.tallest_cell *
                               static_cast<double>(ops.largest_cell));
  const float side_px = kSideRowShare * font;
  float units = 0;
  float fixed = 0;
  for (std::size_t row = 0; row < visible.rows.size(); ++row) {
    if (visible.rows[row] <= 0) continue;
    fixed += frame.row_head_px + (is_side[row] ? side_px : 0);
    if (!is_side[row]) units += visible.rows[row];
  }
  const float least = kLeastScaledShare * frame.rows.height();
  const float room = std::max({font, least, frame.rows.height() - fixed - kApartShare * font});
  const double zoom =
      std::isfinite(frame.look.y_zoom) ? std::clamp(frame.look.y_zoom, 1.0, 100.0) : 1;
  const float unit =
      std::min(kMostUnitLines * font, room / std::max(0.01F, units)) * static_cast<float>(zoom);
  const double scroll = std::isfinite(frame.look.y_scroll_px) ? frame.look.y_scroll_px : 0;
  const float top = frame.rows.y0 - static_cast<float>(std::clamp(scroll, 0.0, 1e6));
  float y = top;
  bool is_apart = false;
  for (std::size_t row = 0; row < visible.rows.size(); ++row) {
    const bool is_shown = visible.rows[row] > 0;
    if (is_shown && is_side[row] && !is_apart) {
      y += kApartShare * font;
      is_apart = true;
    }
    if (is_shown) y += frame.row_head_px;
    frame.row_top.push_back(y);
    frame.row_unit.push_back(is_side[row] ? side_px / std::max(0.01F, visible.rows[row]) : unit);
    frame.row_px.push_back(visible.rows[row] * frame.row_unit.back());
    y += frame.row_px.back();
  }
  frame.content_px = y - top;
}

}  // namespace

Rect LevelsFrame::box_rect(const OpBox& box) const {
  const double px = axis.px_per_unit();
  const auto gap = static_cast<float>(std::min(3.0, px * 0.09));
  const std::uint32_t row = look.ops->bands[box.band].row;
  const float top = row_top[row];
  const float unit = row_unit[row];
  return {axis.x(box.level) + gap, top + box.top * unit, axis.x(box.level + 1.0) - gap,
          top + box.bottom * unit - std::min(1.0F, (box.bottom - box.top) * unit * 0.15F)};
}

LevelsFrame measure_levels(const LevelsLook& look) {
  LevelsFrame frame{.look = look};
  const float font = look.font_px;
  const float height = std::max(0.0F, look.area.height());
  frame.axis = levels_axis(look);
  frame.small_px = font * 0.86F;
  frame.row_head_px = font * 1.15F;
  choose_detail(frame);
  frame.words =
      place_legend(legend_entries(frame), look.area.x0 + frame.small_px * 0.6F,
                   look.area.x1 - frame.small_px * 0.6F, frame.small_px, kLegendShare * height);
  if (height - frame.words.height_px < kLeastLinesBesideLegend * font) {
    frame.words = {};
    frame.words.is_folded = true;
  }
  Rect rest = look.area;
  frame.legend = cut_bottom(rest, frame.words.height_px + font * 0.2F);
  frame.ticks = cut_bottom(rest, font * 1.3F);
  frame.lane = cut_top(rest, font * 1.6F);
  frame.bars = frame.lane;
  frame.bars.y0 = frame.bars.y1;
  const float link_px = link_height_px(font);
  const bool has_link =
      !look.swaps->link.empty() && rest.height() - link_px - font * 4 > kLeastRowsShare * height;
  const float rest_px =
      rest.height() - (has_link ? link_px : 0) - font * (kLaneGapShare + kHeadingShare);
  const float most_lane_px = std::max(
      font * kLeastLaneShare, std::min(kLaneShare * height, rest_px - kLeastRowsShare * height));
  const float lane_px = look.swaps->bars.empty()
                            ? font * 1.2F
                            : std::max(font * 0.6F, place_lane(frame, most_lane_px));
  frame.bars.y1 = cut_top(rest, lane_px).y1;
  frame.lane.y1 = cut_top(rest, font * kLaneGapShare).y1;
  if (has_link) frame.link = cut_top(rest, link_px);
  frame.heading = cut_top(rest, font * kHeadingShare);
  if (look.selected) frame.swap = find_lens(*look.scene, *look.swaps, *look.selected, look.range);
  const float lens_px = lens_height_px(frame);
  const float arcs_px = std::max(font * 3, kArcShare * height);
  if (lens_px > 0 && rest.height() - lens_px > std::max(5 * font, kLeastBesideLensShare * height)) {
    frame.lens = cut_bottom(rest, lens_px);
  } else if (!visible_candidates(frame).empty() &&
             rest.height() - arcs_px > kLeastRowsShare * height) {
    frame.arcs = cut_bottom(rest, arcs_px);
  }
  frame.rows = rest;
  place_rows(frame);
  return frame;
}

Point CurveShape::at(float share) const {
  const float rest = 1 - share;
  const auto mix = [&](float a, float b, float c, float d) {
    return rest * rest * rest * a + 3 * rest * rest * share * b + 3 * rest * share * share * c +
           share * share * share * d;
  };
  return {mix(from.x, control_a.x, control_b.x, to.x), mix(from.y, control_a.y, control_b.y, to.y)};
}

CurveShape arc_shape(const LevelsFrame& frame, const LongLived& tensor) {
  const double levels = std::max(1, frame.look.ops->level_count);
  const double share = (tensor.to_level - tensor.from_level) / levels;
  const float room = frame.arcs.height() - frame.look.font_px * 1.3F;
  const float y = frame.arcs.y0 + 1;
  // A cubic reaches three quarters of the way to its controls.
  const float depth = room * static_cast<float>(0.25 + 0.75 * std::sqrt(share)) / 0.75F;
  const float x0 = frame.x_middle(tensor.from_level);
  const float x1 = frame.x_middle(tensor.to_level);
  const float bend = (x1 - x0) * 0.12F;
  return {{x0, y}, {x0 + bend, y + depth}, {x1 - bend, y + depth}, {x1, y}};
}

std::vector<const LongLived*> visible_candidates(const LevelsFrame& frame) {
  std::vector<const LongLived*> visible;
  if (!frame.look.show_candidates) return visible;
  const double last = frame.axis.first + frame.axis.span;
  const auto cost = [](const LongLived& tensor) {
    return static_cast<double>(tensor.bytes) * (tensor.to_level - tensor.from_level);
  };
  const auto& candidates = frame.look.swaps->candidates;
  for (const LongLived& tensor : candidates) {
    if (visible.size() == kMostArcs) break;
    if (cost(tensor) < kLeastArcShare * cost(candidates.front())) break;
    if (tensor.to_level + 1 > frame.axis.first && tensor.from_level < last) {
      visible.push_back(&tensor);
    }
  }
  return visible;
}

Axis levels_axis(const LevelsLook& look) {
  const float margin = look.font_px * 0.5F;
  return make_axis(look.range, look.ops->level_count, look.area.x0 + margin, look.area.x1 - margin);
}

double most_scroll_px(const LevelsLook& look) {
  const LevelsFrame frame = measure_levels(look);
  return std::max(0.0F, frame.content_px - frame.rows.height());
}

}  // namespace tideline::render
