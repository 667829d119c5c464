// Tested by unit/view/scopes_view_test.cc and the golden case scopes_view.
#include "render/view/scopes_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "render/view/labels.h"
#include "render/view/scopes_frame.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr double kMostScopeZoom = 250;
constexpr float kLeastTextPx = 5;
constexpr double kIdleAlpha = 0.3;
constexpr float kNearEdgePx = 4;

// "12 ops, 3 swapped, 4.20 MiB", and shorter.
std::array<std::string, 3> contents_of(const ScopesLook& look, std::uint32_t placed) {
  const ScopeBox& box = look.boxes->boxes[look.layout->placed[placed].box];
  const std::string ops = fmt::format("{} op{}", box.op_count, box.op_count == 1 ? "" : "s");
  const std::uint32_t swapped = look.paint->swapped[placed];
  const std::string with_swaps = swapped == 0 ? ops : fmt::format("{}, {} swapped", ops, swapped);
  const std::string bytes = box.bytes > 0 ? ", " + format_bytes(box.bytes) : "";
  return {with_swaps + bytes, swapped == 0 ? ops : with_swaps, ops};
}

class ScopesPainter {
 public:
  ScopesPainter(Canvas& canvas, const ScopesFrame& frame)
      : canvas_(canvas), frame_(frame), look_(frame.look), colors_(*frame.look.palette) {}

  void draw_open(std::uint32_t placed) {
    const Rect rect = frame_.rect_of(placed);
    if (!frame_.is_seen(rect)) return;
    const Color hue = color_of(placed);
    const float rounding = std::min(frame_.em_px * 0.6F, 8.0F);
    canvas_.fill(rect, hue.with_alpha(0.10), rounding);
    canvas_.frame(rect, hue.with_alpha(0.7), 1, rounding);
    const float size = text_px(1);
    if (size < kLeastTextPx) return;
    // The name stays in sight while a part of the box is.
    const float left = std::max(rect.x0, frame_.plot.x0) + size * 0.7F;
    const float y = rect.y0 + frame_.em_px * kScopeHead / 2 - size / 2;
    const float right = std::min(rect.x1, frame_.plot.x1) - size * 1.6F;
    if (right <= left) return;
    const std::string name = fit_text(canvas_, name_of(placed), size, right - left);
    canvas_.text({left, y}, name, colors_.text, size);
    canvas_.text({rect.x1 - size * 1.2F, y}, "-", colors_.dim_text, size);
    const float used = canvas_.text_width(name, size) + size;
    canvas_.text(
        {left + used, y + size * 0.12F},
        first_that_fits(canvas_, contents_of(look_, placed), size * 0.8F, right - left - used),
        colors_.dim_text, size * 0.8F);
  }

  void draw_closed(std::uint32_t placed) {
    Rect rect = frame_.rect_of(placed);
    if (!frame_.is_seen(rect)) return;
    const ScopeBox& box = look_.boxes->boxes[look_.layout->placed[placed].box];
    const bool is_op = box.kind == BoxKind::kOp;
    const Color fill = color_of(placed).over(colors_.background);
    const float rounding = is_op ? rect.height() / 2 : std::min(frame_.em_px * 0.5F, 6.0F);
    if (box.kind == BoxKind::kSeries || box.kind == BoxKind::kGroup) {
      draw_stack(rect, fill, rounding);
    }
    canvas_.fill(rect, fill, rounding);
    if (is_op && box.is_unknown && frame_.em_px > 4)
      canvas_.hatch({rect.x0, rect.y1 - frame_.em_px * 0.35F, rect.x1, rect.y1},
                    colors_.background.with_alpha(0.6));
    if (frame_.em_px > 4) canvas_.frame(rect, colors_.background.with_alpha(0.7), 1, rounding);
    write_on(placed, rect, fill, is_op);
  }

  void draw_marks() {
    const auto mark = [&](std::uint32_t placed, Color color, float width) {
      if (placed == 0) return;
      const Rect rect = frame_.rect_of(placed);
      const bool is_op = !look_.boxes->boxes[look_.layout->placed[placed].box].can_open();
      canvas_.frame(rect, color, width,
                    is_op ? rect.height() / 2 : std::min(frame_.em_px * 0.5F, 6.0F));
    };
    if (look_.hovered != look_.selected) mark(look_.hovered, colors_.hover, 1.5F);
    mark(look_.selected, colors_.selection, 2);
  }

 private:
  [[nodiscard]] float text_px(float ems) const {
    return std::min(frame_.em_px * ems, look_.font_px * 1.5F);
  }
  [[nodiscard]] std::string name_of(std::uint32_t placed) const {
    const ScopeBox& box = look_.boxes->boxes[look_.layout->placed[placed].box];
    return printable(look_.boxes->label(*look_.scene, box));
  }
  [[nodiscard]] Color color_of(std::uint32_t placed) const {
    const Color color = look_.paint->fill[placed];
    const bool is_idle = !look_.paint->is_idle.empty() && look_.paint->is_idle[placed];
    return is_idle ? color.with_alpha(kIdleAlpha) : color;
  }

  // Two more boxes look out behind it, which becomes smaller.
  void draw_stack(Rect& rect, Color fill, float rounding) {
    const float step = frame_.em_px * 0.28F;
    for (int behind = 2; behind > 0; --behind) {
      const float by = static_cast<float>(behind) * step;
      const Rect other = {rect.x0 + by, rect.y0 + 2 * step - by, rect.x1 - 2 * step + by,
                          rect.y1 - by};
      canvas_.fill(other, fill.with_alpha(behind == 2 ? 0.4 : 0.65), rounding);
    }
    rect = {rect.x0, rect.y0 + 2 * step, rect.x1 - 2 * step, rect.y1};
  }

  void write_on(std::uint32_t placed, const Rect& rect, Color fill, bool is_op) {
    const float size = text_px(is_op ? 0.95F : 1);
    if (size < kLeastTextPx) return;
    const bool is_dark_better = contrast(fill, colors_.background) > contrast(fill, colors_.text);
    const Color ink = is_dark_better ? colors_.background : colors_.text;
    const float room = rect.width() - size * (is_op ? 0.9F : 1.0F);
    const float middle = (rect.x0 + rect.x1) / 2;
    const float center = (rect.y0 + rect.y1) / 2;
    const std::string name = fit_text(canvas_, name_of(placed), size, room);
    if (is_op) {
      canvas_.text({middle, center - size / 2}, name, ink, size, Align::kCenter);
      return;
    }
    canvas_.text({middle, center - size * 1.05F}, name, ink, size, Align::kCenter);
    const float small = size * 0.75F;
    if (small < kLeastTextPx) return;
    canvas_.text({middle, center + size * 0.15F},
                 first_that_fits(canvas_, contents_of(look_, placed), small, room),
                 ink.with_alpha(0.85).over(fill), small, Align::kCenter);
  }

  Canvas& canvas_;
  const ScopesFrame& frame_;
  const ScopesLook& look_;
  const Palette& colors_;
};

// The strip of those aside of an open box is parted off.
void draw_aside_line(Canvas& canvas, const ScopesFrame& frame, std::uint32_t parent) {
  const ScopeLayout& layout = *frame.look.layout;
  Rect strip = {1e9F, 1e9F, -1e9F, -1e9F};
  for (std::uint32_t i = parent + 1; i < layout.placed[parent].end; i = layout.placed[i].end) {
    if (!layout.placed[i].is_aside) continue;
    const Rect rect = frame.rect_of(i);
    strip = {std::min(strip.x0, rect.x0), std::min(strip.y0, rect.y0), std::max(strip.x1, rect.x1),
             std::max(strip.y1, rect.y1)};
  }
  if (strip.x0 > strip.x1) return;
  const Palette& colors = *frame.look.palette;
  const float gap = frame.em_px * 1.1F;
  const float size = std::min(frame.em_px * 0.75F, frame.look.font_px);
  if (layout.is_vertical) {
    canvas.line({strip.x0 - gap, strip.y0}, {strip.x0 - gap, strip.y1}, colors.outline, 1,
                Dash::kDashed);
    return;
  }
  canvas.line({strip.x0, strip.y0 - gap}, {strip.x1, strip.y0 - gap}, colors.outline, 1,
              Dash::kDashed);
  if (size >= kLeastTextPx)
    canvas.text({strip.x0, strip.y0 - gap - size * 1.2F}, "aside", colors.dim_text, size);
}

std::optional<std::uint32_t> edge_near(const ScopesFrame& frame, Point point) {
  const SeenEdges seen = find_seen_edges(frame);
  std::optional<std::uint32_t> best;
  float nearest = kNearEdgePx;
  for (const auto* some : {&seen.plain, &seen.inputs, &seen.outputs}) {
    for (const std::uint32_t index : *some) {
      const ScopeCurve curve = frame.curve_of(frame.look.layout->edges[index]);
      for (int i = 0; i <= 40; ++i) {
        const Point at = curve.at(static_cast<float>(i) / 40);
        const float distance = std::hypot(at.x - point.x, at.y - point.y);
        if (distance >= nearest) continue;
        nearest = distance;
        best = index;
      }
    }
  }
  return best;
}

}  // namespace

ScopesCamera camera_of(VisibleRange range, double y_0_1) {
  if (!(range.span > 0) || range.span >= kScopePositions) return {};
  return {std::min(kScopePositions / range.span, kMostScopeZoom),
          (range.first + range.span / 2) / kScopePositions, std::clamp(y_0_1, 0.0, 1.0)};
}

VisibleRange range_of(const ScopesCamera& camera) {
  if (camera.zoom <= 1) return {};
  const double span = kScopePositions / camera.zoom;
  return {std::clamp(camera.x_0_1 * kScopePositions - span / 2, 0.0, kScopePositions - span), span};
}

void draw_scopes(Canvas& canvas, const ScopesLook& look) {
  const ScopesFrame frame = measure_scopes(look);
  const Palette& colors = *look.palette;
  const SeenEdges edges = find_seen_edges(frame);
  canvas.push_clip(look.area);
  canvas.fill(look.area, colors.background);
  canvas.push_clip(frame.plot);
  ScopesPainter painter(canvas, frame);
  const auto& placed = look.layout->placed;
  for (std::uint32_t i = 0; i < placed.size(); ++i) {
    if (!placed[i].is_open) continue;
    if (i > 0) painter.draw_open(i);
    draw_aside_line(canvas, frame, i);
  }
  draw_scope_edges(canvas, frame, edges);
  draw_marked_edges(canvas, frame, edges);
  for (std::uint32_t i = 1; i < placed.size(); ++i) {
    if (!placed[i].is_open) painter.draw_closed(i);
  }
  painter.draw_marks();
  draw_scopes_map(canvas, frame);
  canvas.pop_clip();
  draw_legend(canvas, frame.words, frame.legend_y, colors.dim_text, colors.background);
  draw_scopes_band(canvas, look);
  canvas.pop_clip();
}

ScopesHit hit_scopes(const ScopesLook& look, Point point) {
  const ScopesFrame frame = measure_scopes(look);
  if (!frame.plot.contains(point)) return {};
  const auto& placed = look.layout->placed;
  std::uint32_t innermost = 0;
  for (std::uint32_t i = 1; i < placed.size();) {
    const bool is_in = frame.rect_of(i).contains(point);
    if (is_in) innermost = i;
    i = is_in ? i + 1 : placed[i].end;
  }
  ScopesHit hit;
  if (innermost == 0 || placed[innermost].is_open) hit.edge = edge_near(frame, point);
  if (hit.edge || innermost == 0) return hit;
  hit.placed = innermost;
  const Rect rect = frame.rect_of(innermost);
  hit.rect = {std::max(rect.x0, frame.plot.x0), std::max(rect.y0, frame.plot.y0),
              std::min(rect.x1, frame.plot.x1), std::min(rect.y1, frame.plot.y1)};
  return hit;
}

std::vector<Rect> box_rects(const ScopesLook& look) {
  const ScopesFrame frame = measure_scopes(look);
  std::vector<Rect> rects;
  rects.reserve(look.layout->placed.size());
  for (std::uint32_t i = 0; i < look.layout->placed.size(); ++i) rects.push_back(frame.rect_of(i));
  return rects;
}

ScopesCamera zoomed_at(const ScopesLook& look, double factor, Point at) {
  const ScopesFrame frame = measure_scopes(look);
  ScopesCamera camera = look.camera;
  camera.zoom = std::clamp(std::max(1.0, camera.zoom) * factor, 1.0, kMostScopeZoom);
  if (camera.zoom == 1) return {};
  const double growth = camera.zoom / std::max(1.0, look.camera.zoom);
  const auto middle = [&](float where, float origin, float center, float size) {
    const double under = (where - origin) / (size * frame.em_px);
    return std::clamp(under - (where - center) / (size * frame.em_px * growth), 0.0, 1.0);
  };
  camera.x_0_1 =
      middle(at.x, frame.origin.x, (frame.plot.x0 + frame.plot.x1) / 2, look.layout->width);
  camera.y_0_1 =
      middle(at.y, frame.origin.y, (frame.plot.y0 + frame.plot.y1) / 2, look.layout->height);
  return camera;
}

ScopesCamera moved_by(const ScopesLook& look, float x_px, float y_px) {
  if (look.camera.zoom <= 1) return {};
  const ScopesFrame frame = measure_scopes(look);
  ScopesCamera camera = look.camera;
  const auto by = [&](float px, float size) {
    return static_cast<double>(px) / (size * frame.em_px);
  };
  camera.x_0_1 = std::clamp(camera.x_0_1 - by(x_px, look.layout->width), 0.0, 1.0);
  camera.y_0_1 = std::clamp(camera.y_0_1 - by(y_px, look.layout->height), 0.0, 1.0);
  return camera;
}

ScopesCamera camera_on(const ScopeLayout& layout, std::uint32_t placed) {
  constexpr float kAround = 12;  // ems on either side
  if (placed == 0) return {};
  const Rect& rect = layout.placed[placed].rect;
  const float share = std::max((rect.width() + 2 * kAround) / layout.width,
                               (rect.height() + 2 * kAround) / layout.height);
  if (share >= 1) return {};
  return {std::min(1.0 / static_cast<double>(share), kMostScopeZoom),
          (rect.x0 + rect.x1) / 2 / layout.width, (rect.y0 + rect.y1) / 2 / layout.height};
}

}  // namespace tideline::render
