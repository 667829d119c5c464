// Problem: a swap may begin, or come back, far outside of the visible levels, and yet be under way
// there; and thousands of swaps have no room for bars.
// Idea: a swap is as long as its way: from its producer over its bar to the last op that first
// reads it, and what that op waits beyond. All whose way crosses the visible levels are stacked,
// each in the highest gap that is free all along its way. Where bars would be thinner than a pixel,
// those that neither leave nor come back in sight become one band; where that is not enough, what
// goes out and what comes in is summed up by pixel instead.
// Cost: O(swaps + bars^2) a frame, with at most kMostBars bars.
// Source: own. Tested by tests/unit/view/levels_lane_test.cc.
#include <algorithm>
#include <cmath>

#include "render/view/levels_frame.h"

namespace tideline::render {
namespace {

constexpr float kMostBarPx = 22;  // for a font of 15 pixels
constexpr float kBarGapShare = 0.18F;
constexpr float kLeastMeanPx = 1;   // of bars: below it they are summed up
constexpr float kColumnsShare = 5;  // height of the sums, in lines of text
constexpr float kLeastBarUnits = 0.3F;
constexpr float kBandShare = 1.3F;  // of small text, for those that pass

PlacedBar across(const LevelsFrame& frame, const SwapBar& bar, std::size_t index) {
  PlacedBar placed = {&bar, static_cast<std::int32_t>(index), {}, 0};
  placed.rect.x0 = frame.axis.x(bar.out_level);
  placed.rect.x1 = std::max(frame.axis.x(bar.end_level), placed.rect.x0 + kLeastBarPx);
  const double late = frame.look.swaps->levels_of(bar.late_ns);
  placed.reach_px = std::max(
      {placed.rect.x1, frame.x_middle(bar.reader_level), frame.axis.x(bar.end_level + late)});
  return placed;
}

// The swaps that are under way at the visible levels.
std::vector<PlacedBar> visible_bars(const LevelsFrame& frame) {
  std::vector<PlacedBar> visible;
  const auto& bars = frame.look.swaps->bars;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const PlacedBar placed = across(frame, bars[i], i);
    const float from = std::min(frame.x_middle(bars[i].producer_level), placed.rect.x0);
    if (placed.reach_px < frame.axis.x0 || from > frame.axis.x1) continue;
    visible.push_back(placed);
  }
  return visible;
}

// A part of the lane that is in use up to `until`.
struct Strip {
  float top = 0, bottom = 0, until = 0;
};

// The tops of the bars, which are by their left ends; `deepest` gets the height of all.
std::vector<float> stack(const std::vector<PlacedBar>& bars, const std::vector<float>& heights,
                         float& deepest) {
  std::vector<float> tops;
  std::vector<Strip> used;  // from the top down
  deepest = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    std::erase_if(used, [&](const Strip& strip) { return strip.until <= bars[i].rect.x0; });
    float top = 0;
    auto before = used.begin();
    for (; before != used.end() && before->top - top < heights[i] - 1e-4F; ++before) {
      top = before->bottom;
    }
    used.insert(before, {top, top + heights[i], bars[i].reach_px + 1});
    tops.push_back(top);
    deepest = std::max(deepest, top + heights[i]);
  }
  return tops;
}

std::vector<float> heights_of(const std::vector<PlacedBar>& bars, float axis_x0, float axis_x1) {
  double total = 0;
  for (const PlacedBar& bar : bars) total += static_cast<double>(bar.bar->bytes);
  const double mean = std::max(1.0, total / static_cast<double>(bars.size()));
  std::vector<float> heights;
  for (const PlacedBar& bar : bars) {
    // What is only on its way needs a line.
    const bool is_seen = bar.rect.x1 >= axis_x0 && bar.rect.x0 <= axis_x1;
    const double share = static_cast<double>(bar.bar->bytes) / mean;
    heights.push_back(kLeastBarUnits + (is_seen ? static_cast<float>(share) : 0.7F));
  }
  return heights;
}

// Below `top_px`. False when they would be too thin.
bool place_bars(LevelsFrame& frame, std::vector<PlacedBar> bars, float top_px, float most_px,
                float& used_px) {
  if (bars.empty() || bars.size() > kMostBars) return false;
  const std::vector<float> heights = heights_of(bars, frame.axis.x0, frame.axis.x1);
  float deepest = 0;
  const std::vector<float> tops = stack(bars, heights, deepest);
  const float tallest = *std::max_element(heights.begin(), heights.end());
  const float unit = std::min(most_px / deepest, kMostBarPx * frame.look.font_px / 15 / tallest);
  if (unit * (1 + kLeastBarUnits) * (1 - kBarGapShare) < kLeastMeanPx) return false;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    bars[i].rect.y0 = frame.bars.y0 + top_px + tops[i] * unit;
    bars[i].rect.y1 = frame.bars.y0 + top_px + (tops[i] + heights[i] * (1 - kBarGapShare)) * unit;
  }
  frame.placed = std::move(bars);
  used_px = top_px + deepest * unit;
  return true;
}

// Whether it is made, leaves, comes back or is read at a visible level.
bool does_happen_here(const LevelsFrame& frame, const SwapBar& bar) {
  const auto is_here = [&](double level) {
    return level >= frame.axis.first && level <= frame.axis.first + frame.axis.span;
  };
  if (is_here(bar.producer_level) || is_here(bar.out_level)) return true;
  const auto& spans = frame.look.swaps->spans;
  for (std::uint32_t i = bar.first_span; i < bar.first_span + bar.span_count; ++i) {
    if (is_here(spans[i].in_level) || is_here(spans[i].consumer_level)) return true;
  }
  return false;
}

// Adds up by level, or by pixel where levels are narrower.
class ColumnSums {
 public:
  explicit ColumnSums(LevelsFrame& frame)
      : frame_(frame),
        width_(std::max(1.0F, static_cast<float>(frame.axis.px_per_unit()))),
        columns_(static_cast<std::size_t>((frame.axis.x1 - frame.axis.x0) / width_) + 2) {}

  // The column of a level; null when it is out of sight.
  SwapColumn* at(std::int32_t level) {
    const float x = frame_.axis.x(level);
    const float first = frame_.axis.x(frame_.axis.begin());
    if (level < frame_.axis.begin() || x > frame_.axis.x1) return nullptr;
    const auto index = static_cast<std::size_t>(std::max(0.0F, (x - first) / width_ + 0.001F));
    if (index >= columns_.size()) return nullptr;
    SwapColumn& column = columns_[index];
    if (column.outs + column.ins == 0) {
      column.from_level = column.to_level = level;
      column.x0 = first + static_cast<float>(index) * width_;
      column.x1 = column.x0 + width_;
    }
    column.from_level = std::min(column.from_level, level);
    column.to_level = std::max(column.to_level, level);
    return &column;
  }

  void finish() {
    for (const SwapColumn& column : columns_) {
      if (column.outs + column.ins > 0) frame_.columns.push_back(column);
    }
  }

 private:
  LevelsFrame& frame_;
  float width_;
  std::vector<SwapColumn> columns_;
};

void note_tensor(SwapColumn& column, TensorId tensor, Bytes bytes) {
  if (bytes <= column.largest_bytes) return;
  column.largest = tensor;
  column.largest_bytes = bytes;
}

// Those that only pass become a band. False when the others would be too thin all the same.
bool place_beside_passing(LevelsFrame& frame, const std::vector<PlacedBar>& bars, float most_px,
                          float& used_px) {
  std::vector<PlacedBar> here;
  SwapColumn passing;
  for (const PlacedBar& placed : bars) {
    const SwapBar& bar = *placed.bar;
    if (does_happen_here(frame, bar) || is_marked(frame, bar)) {
      here.push_back(placed);
      continue;
    }
    ++passing.passing;
    passing.passing_bytes = saturating_add(passing.passing_bytes, bar.bytes);
    note_tensor(passing, bar.tensor, bar.bytes);
  }
  const float band_px = frame.small_px * kBandShare;
  if (passing.passing == 0 || most_px < 2 * band_px) return false;
  used_px = band_px;
  const float rest_px = most_px - band_px;
  if (!here.empty() && !place_bars(frame, std::move(here), band_px, rest_px, used_px)) return false;
  passing.x0 = frame.look.area.x0;
  passing.x1 = frame.look.area.x1;
  passing.from_level = frame.axis.begin();
  passing.to_level = std::max(passing.from_level, frame.axis.end(frame.look.ops->level_count) - 1);
  frame.passing = passing;
  frame.passing_band = {passing.x0, frame.bars.y0, passing.x1, frame.bars.y0 + band_px - 2};
  return true;
}

void add_columns(LevelsFrame& frame) {
  const SwapLayout& swaps = *frame.look.swaps;
  ColumnSums sums(frame);
  for (const SwapBar& bar : swaps.bars) {
    if (SwapColumn* column = sums.at(bar.out_level); column != nullptr) {
      ++column->outs;
      column->out_bytes = saturating_add(column->out_bytes, bar.bytes);
      note_tensor(*column, bar.tensor, bar.bytes);
    }
    for (std::uint32_t i = bar.first_span; i < bar.first_span + bar.span_count; ++i) {
      SwapColumn* column = sums.at(swaps.spans[i].in_level);
      if (column == nullptr) continue;
      ++column->ins;
      column->in_bytes = saturating_add(column->in_bytes, bar.bytes);
      if (swaps.late_ns[i] > 0) {
        ++column->late;
        column->late_bytes = saturating_add(column->late_bytes, bar.bytes);
      }
      note_tensor(*column, bar.tensor, bar.bytes);
    }
  }
  sums.finish();
}

}  // namespace

bool is_marked(const LevelsFrame& frame, const SwapBar& bar) {
  const auto same = [&](const std::optional<TensorId>& tensor) {
    return tensor && bar.tensor.op == tensor->op;
  };
  return same(frame.look.selected) || same(frame.look.hovered);
}

float place_lane(LevelsFrame& frame, float most_px) {
  const std::vector<PlacedBar> bars = visible_bars(frame);
  if (bars.empty()) return 0;
  float used_px = 0;
  if (place_bars(frame, bars, 0, most_px, used_px)) return used_px;
  if (place_beside_passing(frame, bars, most_px, used_px)) return used_px;
  frame.is_summed = true;
  add_columns(frame);
  const float high = std::min(most_px, kColumnsShare * frame.look.font_px);
  const auto& all = frame.look.swaps->bars;
  frame.bars.y1 = frame.bars.y0 + high;
  for (std::size_t i = 0; i < all.size() && frame.placed.size() < kMostBars; ++i) {
    if (!is_marked(frame, all[i])) continue;
    frame.placed.push_back(middle_bar(frame, i));
  }
  frame.bars.y1 = frame.bars.y0;
  return high;
}

PlacedBar middle_bar(const LevelsFrame& frame, std::size_t index) {
  PlacedBar placed = across(frame, frame.look.swaps->bars[index], index);
  const float middle = (frame.bars.y0 + frame.bars.y1) / 2;
  const float half = std::max(1.5F, frame.look.font_px * 0.15F);
  placed.rect.y0 = middle - half;
  placed.rect.y1 = middle + half;
  return placed;
}

}  // namespace tideline::render
