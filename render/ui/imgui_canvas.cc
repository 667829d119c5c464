// Problem: views draw lines of any length, areas of thousands of points and hatching over
// rectangles far larger than the screen; Dear ImGui 1.86 has no dashes, no hatching, only convex
// areas, and 16-bit indices (one reserved piece of a list may hold 65,535 vertices).
// Idea: clip to the clip rectangle first, so that the number of dashes and stripes is bounded by
// the screen; draw areas as strips of trapezoids; split long shapes into pieces that share a point.
// Cost: O(points) and O(visible length / dash). Tested by the pictures
// of tests/gui/golden_test.cc.
#include "render/ui/imgui_canvas.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace tideline::ui {
namespace {

using render::Color;
using render::Dash;
using render::Point;
using render::Rect;

constexpr std::size_t kPointsAPiece = 8000;

ImU32 packed(Color color) {
  return IM_COL32(color.r, color.g, color.b, color.a);
}
ImVec2 vec(Point p) {
  return {p.x, p.y};
}

// The part of a segment inside `box` as shares of its length (Liang and Barsky); first > last when
// there is none.
struct Part {
  float first = 0, last = 1;
};
Part part_inside(Point from, Point to, const ImVec4& box) {
  Part part;
  const float dx = to.x - from.x, dy = to.y - from.y;
  const auto cut = [&part](float step, float room) {
    if (step == 0) {
      if (room < 0) part.last = -1;
    } else if (step < 0) {
      part.first = std::max(part.first, room / step);
    } else {
      part.last = std::min(part.last, room / step);
    }
  };
  cut(-dx, from.x - box.x);
  cut(dx, box.z - from.x);
  cut(-dy, from.y - box.y);
  cut(dy, box.w - from.y);
  return part;
}

// Letters are sharp only in the size they were drawn in; a little more or less is not seen.
float sharp_size(const ImFont& font, float wanted_px) {
  return std::abs(font.FontSize - wanted_px) <= 0.1F * wanted_px ? font.FontSize : wanted_px;
}

ImVec4 clip_of(const ImDrawList& list) {
  return list._CmdHeader.ClipRect;
}

}  // namespace

bool ImGuiCanvas::visible(float x0, float y0, float x1, float y1, float margin) const {
  const ImVec4 clip = clip_of(list_);
  return x1 + margin >= clip.x && x0 - margin <= clip.z && y1 + margin >= clip.y &&
         y0 - margin <= clip.w;
}

void ImGuiCanvas::fill(Rect rect, Color color, float rounding_px) {
  if (color.a == 0 || !visible(rect.x0, rect.y0, rect.x1, rect.y1, 0)) return;
  list_.AddRectFilled({rect.x0, rect.y0}, {rect.x1, rect.y1}, packed(color), rounding_px);
}

void ImGuiCanvas::frame(Rect rect, Color color, float width_px, float rounding_px, Dash dash) {
  if (color.a == 0 || !visible(rect.x0, rect.y0, rect.x1, rect.y1, width_px)) return;
  if (dash == Dash::kSolid) {
    list_.AddRect({rect.x0, rect.y0}, {rect.x1, rect.y1}, packed(color), rounding_px, 0, width_px);
    return;
  }
  line({rect.x0, rect.y0}, {rect.x1, rect.y0}, color, width_px, dash);
  line({rect.x1, rect.y0}, {rect.x1, rect.y1}, color, width_px, dash);
  line({rect.x1, rect.y1}, {rect.x0, rect.y1}, color, width_px, dash);
  line({rect.x0, rect.y1}, {rect.x0, rect.y0}, color, width_px, dash);
}

void ImGuiCanvas::hatch(Rect rect, Color color) {
  const ImVec4 clip = clip_of(list_);
  const Rect seen = {std::max(rect.x0, clip.x), std::max(rect.y0, clip.y),
                     std::min(rect.x1, clip.z), std::min(rect.y1, clip.w)};
  if (color.a == 0 || seen.width() <= 0 || seen.height() <= 0) return;
  const float step = std::max(4.0F, fonts_.body->FontSize * 0.4F);
  const ImVec4 box = {seen.x0, seen.y0, seen.x1, seen.y1};
  // Stripes lie on x + y = k * step, so that stripes of neighbours meet.
  const float last = seen.x1 + seen.y1;
  for (float sum = std::ceil((seen.x0 + seen.y0) / step) * step; sum < last; sum += step) {
    const Point from = {sum - seen.y0, seen.y0}, to = {sum - seen.y1, seen.y1};
    const Part part = part_inside(from, to, box);
    if (part.first >= part.last) continue;
    const auto at = [&](float share) {
      return ImVec2(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    };
    list_.AddLine(at(part.first), at(part.last), packed(color), std::max(1.0F, step / 6));
  }
}

void ImGuiCanvas::line(Point from, Point to, Color color, float width_px, Dash dash) {
  if (color.a == 0 || !visible(std::min(from.x, to.x), std::min(from.y, to.y),
                               std::max(from.x, to.x), std::max(from.y, to.y), width_px)) {
    return;
  }
  ImVec4 clip = clip_of(list_);
  clip = {clip.x - width_px, clip.y - width_px, clip.z + width_px, clip.w + width_px};
  const Part part = part_inside(from, to, clip);
  if (part.first > part.last) return;
  const auto at = [&](float share) {
    return ImVec2(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
  };
  if (dash == Dash::kSolid) {
    list_.AddLine(at(part.first), at(part.last), packed(color), width_px);
    return;
  }
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const float unit = std::max(1.0F, width_px);
  const float on = dash == Dash::kDashed ? 5 * unit : 1.5F * unit;
  const float period = on + (dash == Dash::kDashed ? 4 * unit : 2.5F * unit);
  // Counted from the line's own start, so that dashes stay in place while the clip moves.
  for (float s = std::floor(part.first * length / period) * period; s < part.last * length;
       s += period) {
    list_.AddLine(at(std::max(s / length, part.first)), at(std::min((s + on) / length, part.last)),
                  packed(color), width_px);
  }
}

void ImGuiCanvas::polyline(std::span<const Point> points, Color color, float width_px) {
  if (color.a == 0) return;
  static_assert(sizeof(Point) == sizeof(ImVec2));
  while (points.size() >= 2) {
    const auto piece = points.first(std::min(points.size(), kPointsAPiece));
    list_.PathClear();
    for (const Point p : piece) list_.PathLineTo(vec(p));
    list_.PathStroke(packed(color), 0, width_px);
    points = points.subspan(piece.size() - 1);
  }
}

void ImGuiCanvas::area(std::span<const Point> points, float base_y, Color color) {
  if (color.a == 0) return;
  const ImVec2 white = ImGui::GetDrawListSharedData() != nullptr
                           ? ImGui::GetIO().Fonts->TexUvWhitePixel
                           : ImVec2(0, 0);
  while (points.size() >= 2) {
    const auto piece = points.first(std::min(points.size(), kPointsAPiece));
    const auto count = static_cast<int>(piece.size());
    list_.PrimReserve(6 * (count - 1), 2 * count);
    const unsigned first = list_._VtxCurrentIdx;
    for (int i = 0; i + 1 < count; ++i) {
      const auto corner = static_cast<ImDrawIdx>(first + 2U * static_cast<unsigned>(i));
      for (const int offset : {0, 1, 3, 0, 3, 2})
        list_.PrimWriteIdx(static_cast<ImDrawIdx>(corner + offset));
    }
    for (const Point p : piece) {
      list_.PrimWriteVtx(vec(p), white, packed(color));
      list_.PrimWriteVtx({p.x, base_y}, white, packed(color));
    }
    points = points.subspan(piece.size() - 1);
  }
}

void ImGuiCanvas::curve(Point from, Point control_a, Point control_b, Point to, Color color,
                        float width_px) {
  const auto [x0, x1] = std::minmax({from.x, control_a.x, control_b.x, to.x});
  const auto [y0, y1] = std::minmax({from.y, control_a.y, control_b.y, to.y});
  if (color.a == 0 || !visible(x0, y0, x1, y1, width_px)) return;
  list_.AddBezierCubic(vec(from), vec(control_a), vec(control_b), vec(to), packed(color), width_px);
}

void ImGuiCanvas::triangle(Point a, Point b, Point c, Color color) {
  const auto [x0, x1] = std::minmax({a.x, b.x, c.x});
  const auto [y0, y1] = std::minmax({a.y, b.y, c.y});
  if (color.a == 0 || !visible(x0, y0, x1, y1, 0)) return;
  list_.AddTriangleFilled(vec(a), vec(b), vec(c), packed(color));
}

void ImGuiCanvas::text(Point at, std::string_view text, Color color, float size_px,
                       render::Align align) {
  if (color.a == 0 || text.empty()) return;
  if (!visible(at.x, at.y, at.x, at.y + size_px, 4096)) return;
  if (align != render::Align::kLeft) {
    const float width = text_width(text, size_px);
    at.x -= align == render::Align::kCenter ? width / 2 : width;
  }
  const ImFont* font = fonts_.nearest(size_px);
  list_.AddText(font, sharp_size(*font, size_px), vec(at), packed(color), text.data(),
                text.data() + text.size());
}

float ImGuiCanvas::text_width(std::string_view text, float size_px) const {
  const ImFont* font = fonts_.nearest(size_px);
  return font
      ->CalcTextSizeA(sharp_size(*font, size_px), 1e9F, 0, text.data(), text.data() + text.size())
      .x;
}

void ImGuiCanvas::push_clip(Rect rect) {
  list_.PushClipRect({rect.x0, rect.y0}, {rect.x1, rect.y1}, true);
}

void ImGuiCanvas::pop_clip() {
  list_.PopClipRect();
}

}  // namespace tideline::ui
