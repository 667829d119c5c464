#include "render/view/levels_view.h"

#include <algorithm>
#include <cmath>

#include "render/view/levels_frame.h"

namespace tideline::render {
namespace {

constexpr float kNearPx = 4;  // of a curve or a thin bar

// The part of `rect` inside `area`, at least a pixel wide and high, which thin things are not.
Rect seen_part(Rect rect, Rect area) {
  const float x0 = std::clamp(rect.x0, area.x0, std::max(area.x0, area.x1));
  const float y0 = std::clamp(rect.y0, area.y0, std::max(area.y0, area.y1));
  return {x0, y0, std::max(x0 + 1, std::min(rect.x1, area.x1)),
          std::max(y0 + 1, std::min(rect.y1, area.y1))};
}

Hit hit_lane(const LevelsFrame& frame, Point point) {
  const float reach = 1;
  for (const PlacedBar& bar : frame.placed) {
    const Rect all = {bar.rect.x0, bar.rect.y0, bar.reach_px, bar.rect.y1};
    const Rect grown = {all.x0 - reach, all.y0 - reach, all.x1 + reach, all.y1 + reach};
    if (!grown.contains(point)) continue;
    const bool is_seen = bar.rect.x1 > frame.look.area.x0 && bar.rect.x0 < frame.look.area.x1;
    Hit hit;
    hit.kind = HitKind::kSwap;
    hit.tensor = bar.bar->tensor;
    hit.swap = bar.index;
    hit.rect = seen_part(is_seen ? bar.rect : all, frame.look.area);
    return hit;
  }
  if (frame.passing.passing > 0 && frame.passing_band.contains(point)) {
    Hit hit;
    hit.kind = HitKind::kSwapGroup;
    hit.tensor = frame.passing.largest;
    hit.column = frame.passing;
    hit.rect = frame.passing_band;
    return hit;
  }
  for (const SwapColumn& column : frame.columns) {
    if (point.x < column.x0 - reach || point.x >= column.x1 + reach) continue;
    if (point.y < frame.bars.y0) break;
    Hit hit;
    hit.kind = HitKind::kSwapGroup;
    hit.tensor = column.largest;
    hit.column = column;
    hit.rect = seen_part({column.x0, frame.bars.y0, column.x1, frame.bars.y1}, frame.look.area);
    return hit;
  }
  return {};
}

Hit hit_box(const LevelsFrame& frame, const OpBox& box) {
  Hit hit;
  hit.kind = box.is_folded ? HitKind::kFolded : HitKind::kOp;
  hit.ops = frame.look.ops->ops_of(box);
  hit.tensor = TensorId{hit.ops.front(), 0};
  hit.rect = seen_part(frame.box_rect(box), frame.rows);
  return hit;
}

// The box at the level under the point; when a pixel is many levels, at the first of them that has
// one at this height.
Hit hit_ops(const LevelsFrame& frame, Point point) {
  const OpLayout& ops = *frame.look.ops;
  const double per_px = 1 / frame.axis.px_per_unit();
  const double position = frame.axis.position(point.x);
  const auto limit = [&](double level) {
    return static_cast<std::int32_t>(std::clamp(level, -1.0, ops.level_count + 1.0));
  };
  const std::int32_t exact = limit(std::floor(position));
  const std::int32_t last = limit(position + std::min(per_px * 1.5, 200.0));
  for (std::int32_t level = exact; level <= std::max(exact, last); ++level) {
    for (const OpBox& box : ops.boxes_at(level)) {
      const Rect rect = frame.box_rect(box);
      if (point.y >= rect.y0 && point.y < std::max(rect.y1, rect.y0 + 1)) {
        return hit_box(frame, box);
      }
    }
  }
  return {};
}

Hit hit_candidate(const LevelsFrame& frame, Point point) {
  Hit best;
  float nearest = kNearPx;
  for (const LongLived* tensor : visible_candidates(frame)) {
    const CurveShape arc = arc_shape(frame, *tensor);
    constexpr int kSteps = 48;
    Point before = arc.from;
    for (int i = 1; i <= kSteps; ++i) {
      const Point at = arc.at(static_cast<float>(i) / kSteps);
      const float dx = at.x - before.x;
      const float dy = at.y - before.y;
      const float length = std::max(1e-6F, dx * dx + dy * dy);
      const float along =
          std::clamp(((point.x - before.x) * dx + (point.y - before.y) * dy) / length, 0.0F, 1.0F);
      const float distance =
          std::hypot(before.x + along * dx - point.x, before.y + along * dy - point.y);
      if (distance < nearest) {
        nearest = distance;
        best.kind = HitKind::kCandidate;
        best.tensor = tensor->tensor;
      }
      before = at;
    }
  }
  return best;
}

}  // namespace

LevelsLayout layout_levels(const Scene& scene) {
  LevelsLayout layout;
  layout.ops = layout_ops(scene);
  layout.swaps = layout_swaps(scene, layout.ops);
  return layout;
}

void draw_levels(Canvas& canvas, const LevelsLook& look) {
  const LevelsFrame frame = measure_levels(look);
  canvas.push_clip(look.area);
  draw_ground(canvas, frame);
  draw_ops(canvas, frame);
  draw_edges(canvas, frame);
  draw_parts(canvas, frame);
  draw_candidates(canvas, frame);
  draw_link(canvas, frame);
  draw_swaps(canvas, frame);
  draw_highlights(canvas, frame);
  draw_player(canvas, frame);
  draw_lens(canvas, frame);
  draw_captions(canvas, frame);
  canvas.pop_clip();
}

Hit hit_levels(const LevelsLook& look, Point point) {
  if (!look.area.contains(point)) return {};  // also when it is no number
  const LevelsFrame frame = measure_levels(look);
  Hit hit;
  if (frame.lane.contains(point)) {
    hit = hit_lane(frame, point);
  } else if (frame.link.contains(point)) {
    hit = hit_link(frame, point);
    if (hit.rect) hit.rect = seen_part(*hit.rect, look.area);
  } else if (frame.lens.contains(point)) {
    hit.kind = HitKind::kSwap;
    hit.tensor = frame.swap->tensor;
    hit.swap = frame.swap->bar;
    hit.rect = frame.lens;
    return hit;  // its axis is not that of levels
  } else if (frame.rows.contains(point)) {
    hit = hit_ops(frame, point);
  } else if (frame.arcs.contains(point)) {
    hit = hit_candidate(frame, point);
  } else if (frame.ticks.contains(point) && frame.words.is_folded) {
    hit.kind = HitKind::kLegend;
    hit.lines = legend_lines(legend_entries(frame));
  }
  const double level = frame.axis.position(point.x);
  if (level >= 0 && level < look.ops->level_count) hit.level = level;
  return hit;
}

}  // namespace tideline::render
