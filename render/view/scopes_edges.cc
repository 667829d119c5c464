// Draws what flows between the boxes of the scopes view. Tested by unit/view/scopes_view_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/view/labels.h"
#include "render/view/scopes_frame.h"

namespace tideline::render {
namespace {

constexpr std::size_t kMostEdgeLabels = 80;
constexpr float kDotEveryPx = 6;  // from dot to dot

Color color_of_edge(const ScopesFrame& frame, const ScopeEdge& edge) {
  const Palette& colors = *frame.look.palette;
  return edge.is_reference() ? colors.host : colors.dim_text;
}

float length_of(const ScopeCurve& curve) {
  float length = 0;
  Point before = curve.from;
  for (int i = 1; i <= 8; ++i) {
    const Point at = curve.at(static_cast<float>(i) / 8);
    length += std::hypot(at.x - before.x, at.y - before.y);
    before = at;
  }
  return length;
}

void draw_dots(Canvas& canvas, const ScopeCurve& curve, Color color, float width) {
  const int dots = std::clamp(static_cast<int>(length_of(curve) / kDotEveryPx), 3, 32);
  for (int i = 0; i < dots; ++i) {
    const float from = (static_cast<float>(i) + 0.25F) / static_cast<float>(dots);
    canvas.line(curve.at(from), curve.at(from + 0.4F / static_cast<float>(dots)), color, width);
  }
}

// The tip is where the edge arrives.
void draw_tip(Canvas& canvas, const ScopesFrame& frame, const ScopeCurve& curve, Color color,
              float width) {
  const float size = std::clamp(frame.em_px * 0.28F, 2.0F, 6.0F) + width * 0.5F;
  const float dx = curve.to.x - curve.control_b.x, dy = curve.to.y - curve.control_b.y;
  const float length = std::max(std::hypot(dx, dy), 1e-3F);
  const Point along = {dx / length * size, dy / length * size};
  const Point base = {curve.to.x - along.x, curve.to.y - along.y};
  canvas.triangle({base.x - along.y * 0.6F, base.y + along.x * 0.6F},
                  {base.x + along.y * 0.6F, base.y - along.x * 0.6F}, curve.to, color);
}

void draw_edge(Canvas& canvas, const ScopesFrame& frame, const ScopeEdge& edge, Color color,
               float more_px) {
  const ScopeCurve curve = frame.curve_of(edge);
  const float width = frame.width_of(edge) + more_px;
  if (edge.tensors == 0) {
    draw_dots(canvas, curve, color, width);
  } else {
    canvas.curve(curve.from, curve.control_a, curve.control_b, curve.to, color, width);
  }
  if (frame.em_px > 3) draw_tip(canvas, frame, curve, color, width);
}

// Sizes where there is room beside boxes and other sizes, of what has most bytes first.
void label_edges(Canvas& canvas, const ScopesFrame& frame, std::vector<std::uint32_t> edges,
                 bool is_marked) {
  const float size = std::min(frame.em_px * 0.68F, frame.look.font_px * 0.85F);
  if (size < 7) return;
  const auto& all = frame.look.layout->edges;
  std::sort(edges.begin(), edges.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(-all[a].bytes, a) < std::pair(-all[b].bytes, b);
  });
  if (edges.size() > kMostEdgeLabels) edges.resize(kMostEdgeLabels);
  Labels labels(frame.plot);
  for (std::uint32_t i = 1; i < frame.look.layout->placed.size(); ++i) {
    Rect rect = frame.rect_of(i);
    if (frame.look.layout->placed[i].is_open)
      rect.y1 = std::min(rect.y1, rect.y0 + kScopeHead * frame.em_px);
    if (frame.is_seen(rect)) labels.take(rect);
  }
  const Palette& colors = *frame.look.palette;
  for (const std::uint32_t index : edges) {
    const ScopeEdge& edge = all[index];
    if (edge.bytes <= 0 || edge.is_reference()) continue;
    const std::string text = format_bytes(edge.bytes);
    const float width = canvas.text_width(text, size) + size;  // with a gap to other sizes
    const ScopeCurve curve = frame.curve_of(edge);
    std::vector<Point> places;
    for (const float share : {0.5F, 0.35F, 0.65F, 0.2F, 0.8F}) {
      const Point at = curve.at(share);
      places.push_back({at.x - width / 2, at.y - size * 1.15F - frame.width_of(edge) / 2});
    }
    const auto at = labels.place(places, width, size);
    if (at)
      canvas.text({at->x + size / 2, at->y}, text, is_marked ? colors.text : colors.dim_text, size);
  }
}

}  // namespace

void draw_scope_edges(Canvas& canvas, const ScopesFrame& frame, const SeenEdges& edges) {
  const bool is_beside = frame.look.selected != 0;
  for (const std::uint32_t index : edges.plain) {
    const ScopeEdge& edge = frame.look.layout->edges[index];
    const double alpha = (edge.tensors == 0 ? 0.6 : 0.5) * (is_beside ? 0.4 : 1);
    draw_edge(canvas, frame, edge, color_of_edge(frame, edge).with_alpha(alpha), 0);
  }
  std::vector<std::uint32_t> marked = edges.inputs;
  marked.insert(marked.end(), edges.outputs.begin(), edges.outputs.end());
  const bool is_marked = !marked.empty();
  label_edges(canvas, frame, is_marked ? std::move(marked) : edges.plain, is_marked);
}

void draw_marked_edges(Canvas& canvas, const ScopesFrame& frame, const SeenEdges& edges) {
  const Palette& colors = *frame.look.palette;
  const auto draw = [&](const std::vector<std::uint32_t>& some, Color color) {
    for (const std::uint32_t index : some)
      draw_edge(canvas, frame, frame.look.layout->edges[index], color, 0.5F);
  };
  draw(edges.outputs, colors.measured);
  draw(edges.inputs, colors.accent);
}

}  // namespace tideline::render
