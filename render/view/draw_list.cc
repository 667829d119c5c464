#include "render/view/draw_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "core/base/text.h"
#include "render/view/straight_points.h"
#include "render/view/svg_canvas.h"

namespace tideline::render {
namespace {

constexpr std::size_t kLongestShown = 2000;  // as in SvgCanvas
constexpr float kStraightPx = 0.05F;         // half of what the last decimal says
constexpr float kFarthestPx = 1e7F;

float finite(float value) {
  return std::isfinite(value) ? std::clamp(value, -kFarthestPx, kFarthestPx) : 0;
}

void append(std::string& text, std::size_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

// One decimal, or none when it is 0. The decimal is rounded once, from the exact value.
void append(std::string& text, float value) {
  const std::int64_t tenths = std::llround(static_cast<double>(finite(value)) * 10);
  if (tenths < 0) text += '-';
  const auto magnitude = static_cast<std::size_t>(std::abs(tenths));
  append(text, magnitude / 10);
  if (magnitude % 10 == 0) return;
  text += '.';
  text += static_cast<char>('0' + magnitude % 10);
}

// As JSON has it; `text` is printable, so it has neither control characters nor broken UTF-8.
void append_string(std::string& json, std::string_view text) {
  json += '"';
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') json += '\\';
    json += letter;
  }
  json += '"';
}

// JSON knows neither NaN nor infinity; they are written as 0.
double known(double value) {
  return std::isfinite(value) ? value : 0;
}

}  // namespace

enum class DrawList::Kind : std::uint8_t {
  kFill,
  kFrame,
  kHatch,
  kLine,
  kPolyline,
  kArea,
  kCurve,
  kTriangle,
  kText,
  kPushClip,
  kPopClip
};

void DrawList::begin(Kind kind, Color color) {
  const std::uint32_t packed = (std::uint32_t{color.r} << 24U) | (std::uint32_t{color.g} << 16U) |
                               (std::uint32_t{color.b} << 8U) | color.a;
  const bool has_color = kind != Kind::kPushClip && kind != Kind::kPopClip;
  std::size_t index = 0;
  if (has_color) {
    const auto [found, is_new] = color_at_.try_emplace(packed, colors_.size());
    if (is_new) colors_.push_back(color);
    index = found->second;
  }
  list_ += calls_++ == 0 ? "[" : ",[";
  append(list_, static_cast<std::size_t>(kind));
  list_ += ',';
  append(list_, index);
}

void DrawList::add(Kind kind, Color color, std::initializer_list<float> numbers) {
  begin(kind, color);
  for (const float number : numbers) {
    list_ += ',';
    append(list_, number);
  }
  list_ += ']';
}

void DrawList::add_line(Kind kind, Color color, float number, std::span<const Point> points) {
  if (points.size() < 2) return;
  std::vector<Point> exact(points.begin(), points.end());
  for (Point& point : exact) point = {finite(point.x), finite(point.y)};
  begin(kind, color);
  list_ += ',';
  append(list_, number);
  for (const Point point : without_straight_points(exact, kStraightPx)) {
    list_ += ',';
    append(list_, point.x);
    list_ += ',';
    append(list_, point.y);
  }
  list_ += ']';
}

void DrawList::fill(Rect rect, Color color, float rounding_px) {
  if (rounding_px > 0) {
    add(Kind::kFill, color, {rect.x0, rect.y0, rect.x1, rect.y1, rounding_px});
  } else {
    add(Kind::kFill, color, {rect.x0, rect.y0, rect.x1, rect.y1});
  }
}

void DrawList::frame(Rect rect, Color color, float width_px, float rounding_px, Dash dash) {
  add(Kind::kFrame, color,
      {rect.x0, rect.y0, rect.x1, rect.y1, width_px, rounding_px, static_cast<float>(dash)});
}

void DrawList::hatch(Rect rect, Color color) {
  add(Kind::kHatch, color, {rect.x0, rect.y0, rect.x1, rect.y1});
}

void DrawList::line(Point from, Point to, Color color, float width_px, Dash dash) {
  add(Kind::kLine, color, {from.x, from.y, to.x, to.y, width_px, static_cast<float>(dash)});
}

void DrawList::polyline(std::span<const Point> points, Color color, float width_px) {
  add_line(Kind::kPolyline, color, width_px, points);
}

void DrawList::area(std::span<const Point> points, float base_y, Color color) {
  add_line(Kind::kArea, color, base_y, points);
}

void DrawList::curve(Point from, Point control_a, Point control_b, Point to, Color color,
                     float width_px) {
  add(Kind::kCurve, color,
      {width_px, from.x, from.y, control_a.x, control_a.y, control_b.x, control_b.y, to.x, to.y});
}

void DrawList::triangle(Point a, Point b, Point c, Color color) {
  add(Kind::kTriangle, color, {a.x, a.y, b.x, b.y, c.x, c.y});
}

void DrawList::text(Point at, std::string_view text, Color color, float size_px, Align align) {
  const std::string shown = printable(text, kLongestShown);
  const auto [found, is_new] = text_at_.try_emplace(shown, text_at_.size());
  if (is_new) {
    if (!texts_.empty()) texts_ += ',';
    append_string(texts_, shown);
  }
  begin(Kind::kText, color);
  for (const float number : {at.x, at.y, size_px, static_cast<float>(align)}) {
    list_ += ',';
    append(list_, number);
  }
  list_ += ',';
  append(list_, found->second);
  list_ += ',';
  append(list_, text_width(shown, size_px));
  list_ += ']';
}

float DrawList::text_width(std::string_view text, float size_px) const {
  return dejavu_width(text, size_px);
}

void DrawList::push_clip(Rect rect) {
  add(Kind::kPushClip, {}, {rect.x0, rect.y0, rect.x1, rect.y1});
}

void DrawList::pop_clip() {
  add(Kind::kPopClip, {}, {});
}

std::string DrawList::json(const PictureInfo& info) const {
  std::string json = fmt::format(
      R"({{"schema":"tideline.picture/1","revision":{},"first":{},"span":{},"count":{},"axis":[)",
      info.revision, known(info.axis.first), known(info.axis.span), info.count);
  json.reserve(json.size() + list_.size() + texts_.size() + 12 * colors_.size() + 64);
  append(json, info.axis.x0);
  json += ',';
  append(json, info.axis.x1);
  json += ']';
  if (info.scroll_px) json += fmt::format(R"(,"scroll":{})", known(*info.scroll_px));
  json += R"(,"colors":[)";
  for (std::size_t i = 0; i < colors_.size(); ++i) {
    const Color color = colors_[i];
    json += fmt::format(R"({}"#{:02x}{:02x}{:02x}{:02x}")", i == 0 ? "" : ",", color.r, color.g,
                        color.b, color.a);
  }
  json += R"(],"texts":[)" + texts_ + R"(],"list":[)" + list_ + "]}";
  return json;
}

}  // namespace tideline::render
