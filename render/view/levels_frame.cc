#include "render/view/levels_frame.h"

#include <algorithm>
#include <cmath>

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
constexpr float kLaneShare = 0.36F;      // of the height, when there are many bars
constexpr float kArcShare = 0.13F;
constexpr float kMostUnitShare = 0.4F;  // of the height: a cell should not be a tower
constexpr float kMostBarPx = 22;
constexpr float kBarGapShare = 0.18F;

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

void place_rows(LevelsFrame& frame) {
  const OpLayout& ops = *frame.look.ops;
  const auto rows = static_cast<float>(ops.row_height.size());
  const float units = std::max(0.1F, ops.total_height());
  const float room = std::max(20.0F, frame.rows.height() - rows * frame.row_head_px);
  const float most = std::max(6 * frame.look.font_px, kMostUnitShare * frame.look.area.height());
  const double zoom =
      std::isfinite(frame.look.y_zoom) ? std::clamp(frame.look.y_zoom, 1.0, 100.0) : 1;
  frame.unit_px = std::min(most, room / units) * static_cast<float>(zoom);
  const double scroll = std::isfinite(frame.look.y_scroll_px) ? frame.look.y_scroll_px : 0;
  float y = frame.rows.y0 - static_cast<float>(std::clamp(scroll, 0.0, 1e6));
  for (const float height : ops.row_height) {
    y += frame.row_head_px;
    frame.row_top.push_back(y);
    y += height * frame.unit_px;
  }
}

// Top of each bar when every one lies below all before it that it meets; units of `heights`.
std::vector<float> stack_bars(const std::vector<PlacedBar>& bars,
                              const std::vector<float>& heights) {
  std::vector<float> tops(bars.size(), 0);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const SwapBar& a = *bars[i].bar;
      const SwapBar& b = *bars[j].bar;
      const bool meet = a.out_level <= b.end_level && b.out_level <= a.end_level;
      if (meet) tops[i] = std::max(tops[i], tops[j] + heights[j]);
    }
  }
  return tops;
}

// The bars that a frame shows: all when they are few, else the visible ones, else groups.
std::vector<PlacedBar> choose_bars(const LevelsFrame& frame) {
  const SwapLayout& swaps = *frame.look.swaps;
  const double first = frame.axis.first;
  const double last = frame.axis.first + frame.axis.span;
  std::vector<PlacedBar> chosen;
  const auto take = [&](const std::vector<SwapBar>& from, bool groups, bool only_visible) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const bool visible = from[i].end_level + 1 > first && from[i].out_level < last;
      if (only_visible && !visible) continue;
      chosen.push_back({&from[i], static_cast<std::int32_t>(i), groups, {}});
      if (chosen.size() > kMostBars) return;
    }
  };
  take(swaps.bars, false, swaps.bars.size() > kMostBars);
  if (chosen.size() <= kMostBars) return chosen;
  chosen.clear();
  take(swaps.groups, true, false);
  return chosen;
}

}  // namespace

Rect LevelsFrame::box_rect(const OpBox& box) const {
  const double px = axis.px_per_unit();
  const auto gap = static_cast<float>(std::min(3.0, px * 0.09));
  const float top = row_top[look.ops->bands[box.band].row];
  return {axis.x(box.level) + gap, top + box.top * unit_px, axis.x(box.level + 1.0) - gap,
          top + box.bottom * unit_px - std::min(1.0F, (box.bottom - box.top) * unit_px * 0.15F)};
}

LevelsFrame measure_levels(const LevelsLook& look) {
  LevelsFrame frame{.look = look};
  const float font = look.font_px;
  frame.axis = levels_axis(look);
  frame.small_px = font * 0.86F;
  frame.row_head_px = font * 1.15F;
  Rect rest = look.area;
  const std::size_t bars =
      std::min(kMostBars, std::max(look.swaps->bars.size(), look.swaps->groups.size()));
  const float wanted =
      bars == 0 ? font * 1.8F : std::max(font * 3, static_cast<float>(bars) * font * 0.5F);
  frame.lane = cut_top(rest, font * 1.8F + std::min(wanted, kLaneShare * look.area.height()));
  frame.bars = frame.lane;
  frame.bars.y0 = std::min(frame.bars.y1, frame.bars.y0 + font * 1.7F);
  frame.bars.y1 = std::max(frame.bars.y0, frame.bars.y1 - font * 0.4F);
  frame.heading = cut_top(rest, font * 2.1F);
  frame.legend = cut_bottom(rest, font * 1.7F);
  frame.ticks = cut_bottom(rest, font * 1.5F);
  if (look.show_candidates && !look.swaps->candidates.empty()) {
    frame.arcs = cut_bottom(rest, std::max(font * 3.4F, kArcShare * look.area.height()));
  }
  frame.rows = rest;
  place_rows(frame);
  choose_detail(frame);
  return frame;
}

std::vector<PlacedBar> place_bars(const LevelsFrame& frame) {
  std::vector<PlacedBar> bars = choose_bars(frame);
  if (bars.empty()) return bars;
  double total = 0;
  for (const PlacedBar& bar : bars) total += static_cast<double>(bar.bar->bytes);
  const double average = std::max(1.0, total / static_cast<double>(bars.size()));
  std::vector<float> heights;
  for (const PlacedBar& bar : bars) {
    heights.push_back(static_cast<float>(0.3 + static_cast<double>(bar.bar->bytes) / average));
  }
  const std::vector<float> tops = stack_bars(bars, heights);
  float deepest = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) deepest = std::max(deepest, tops[i] + heights[i]);
  const float tallest = *std::max_element(heights.begin(), heights.end());
  const float most = kMostBarPx * frame.look.font_px / kUsualFontPx / tallest;
  const float unit = std::min(frame.bars.height() / deepest, most);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const SwapBar& bar = *bars[i].bar;
    bars[i].rect = {frame.axis.x(bar.out_level), frame.bars.y0 + tops[i] * unit,
                    frame.axis.x(std::max(bar.end_level + 0.0, bar.out_level + 0.5)),
                    frame.bars.y0 + (tops[i] + heights[i] * (1 - kBarGapShare)) * unit};
  }
  std::erase_if(bars, [&](const PlacedBar& bar) {
    return bar.rect.x1 < frame.axis.x0 || bar.rect.x0 > frame.axis.x1;
  });
  return bars;
}

Point ArcShape::at(float share) const {
  const float rest = 1 - share;
  const auto mix = [&](float a, float b, float c, float d) {
    return rest * rest * rest * a + 3 * rest * rest * share * b + 3 * rest * share * share * c +
           share * share * share * d;
  };
  return {mix(from.x, control_a.x, control_b.x, to.x), mix(from.y, control_a.y, control_b.y, to.y)};
}

ArcShape arc_shape(const LevelsFrame& frame, const LongLived& tensor) {
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
  const double content = frame.unit_px * look.ops->total_height() +
                         frame.row_head_px * static_cast<float>(look.ops->row_height.size());
  return std::max(0.0, content - frame.rows.height());
}

}  // namespace tideline::render
