#include "render/view/svg_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"

namespace tideline::render {
namespace {

// DejaVu Sans 2.37: units of an em, height of a line (ascender + descender), advances of ' ' to
// '~'.
constexpr float kUnitsPerEm = 2048;
constexpr float kAscender = 1901;
constexpr float kLineUnits = 2384;
constexpr std::array<std::uint16_t, 95> kAdvances = {
    651,  821,  942,  1716, 1303, 1946, 1597, 563,  799,  799,  1024, 1716, 651,  739,  651,  690,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,  1716, 1716, 1716, 1087,
    2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604,  604,  1343, 1141, 1767, 1532, 1612,
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799,  690,  799,  1716, 1024,
    1024, 1255, 1300, 1126, 1300, 1260, 721,  1300, 1298, 569,  569,  1186, 569,  1995, 1298, 1253,
    1300, 1300, 842,  1067, 803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716};
constexpr std::uint16_t kOtherAdvance = 1229;  // of characters outside ASCII: about the widest
constexpr std::size_t kLongestText = 2000;
constexpr float kStripePx = 6;

// Two decimals at most, no zeros behind: enough for a pixel, short, the same everywhere.
std::string number(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", std::clamp(value, -1e7, 1e7));
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string hex(Color color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

// ` fill="#rrggbb"` and its opacity.
std::string paint(const char* property, Color color) {
  std::string text = fmt::format(R"( {}="{}")", property, hex(color));
  if (color.a != 255) text += fmt::format(R"( {}-opacity="{}")", property, number(color.a / 255.0));
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : printable(text, kLongestText)) {
    switch (letter) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += letter;
    }
  }
  return result;
}

const char* anchor(Align align) {
  switch (align) {
    case Align::kLeft: return "";
    case Align::kCenter: return R"( text-anchor="middle")";
    case Align::kRight: return R"( text-anchor="end")";
  }
  return "";
}

}  // namespace

float dejavu_width(std::string_view text, float size_px) {
  float units = 0;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0x20 && byte < 0x7F) units += kAdvances[byte - 0x20U];
    if (byte >= 0xC0) units += kOtherAdvance;  // the first byte of a character in UTF-8
  }
  return units * size_px / kLineUnits;
}

SvgCanvas::SvgCanvas(float width_px, float height_px, double scale, Color background)
    : width_px_(width_px), height_px_(height_px), scale_(scale) {
  fill({0, 0, width_px, height_px}, background);
}

void SvgCanvas::attributes(Rect rect) {
  body_ += fmt::format(R"( x="{}" y="{}" width="{}" height="{}")", number(rect.x0), number(rect.y0),
                       number(std::max(0.0F, rect.width())), number(std::max(0.0F, rect.height())));
}

void SvgCanvas::fill(Rect rect, Color color, float rounding_px) {
  body_ += "<rect";
  attributes(rect);
  if (rounding_px > 0) body_ += fmt::format(R"( rx="{}")", number(rounding_px));
  body_ += paint("fill", color) + "/>\n";
}

void SvgCanvas::stroke(Color color, float width_px, Dash dash) {
  body_ += R"( fill="none")" + paint("stroke", color);
  if (width_px != 1) body_ += fmt::format(R"( stroke-width="{}")", number(width_px));
  if (dash == Dash::kDashed) body_ += R"( stroke-dasharray="5 4")";
  if (dash == Dash::kDotted) body_ += R"( stroke-dasharray="1.5 3")";
}

void SvgCanvas::frame(Rect rect, Color color, float width_px, float rounding_px, Dash dash) {
  body_ += "<rect";
  attributes(rect);
  if (rounding_px > 0) body_ += fmt::format(R"( rx="{}")", number(rounding_px));
  stroke(color, width_px, dash);
  body_ += "/>\n";
}

void SvgCanvas::hatch(Rect rect, Color color) {
  auto found = std::find(hatches_.begin(), hatches_.end(), color);
  if (found == hatches_.end()) found = hatches_.insert(hatches_.end(), color);
  body_ += "<rect";
  attributes(rect);
  body_ += fmt::format(R"-( fill="url(#h{})"/>)-", found - hatches_.begin()) + "\n";
}

void SvgCanvas::line(Point from, Point to, Color color, float width_px, Dash dash) {
  body_ += fmt::format(R"(<path d="M{} {}L{} {}")", number(from.x), number(from.y), number(to.x),
                       number(to.y));
  stroke(color, width_px, dash);
  body_ += "/>\n";
}

void SvgCanvas::points(std::span<const Point> points, char first) {
  for (const Point& point : points) {
    body_ += fmt::format("{}{} {}", first, number(point.x), number(point.y));
    first = 'L';
  }
}

void SvgCanvas::polyline(std::span<const Point> line, Color color, float width_px) {
  if (line.size() < 2) return;
  body_ += R"(<path d=")";
  points(line, 'M');
  body_ += '"';
  stroke(color, width_px, Dash::kSolid);
  body_ += "/>\n";
}

void SvgCanvas::area(std::span<const Point> line, float base_y, Color color) {
  if (line.size() < 2) return;
  body_ += fmt::format(R"(<path d="M{} {})", number(line.front().x), number(base_y));
  points(line, 'L');
  body_ += fmt::format(R"(L{} {}Z")", number(line.back().x), number(base_y));
  body_ += paint("fill", color) + "/>\n";
}

void SvgCanvas::curve(Point from, Point control_a, Point control_b, Point to, Color color,
                      float width_px) {
  body_ += fmt::format(R"(<path d="M{} {}C{} {} {} {} {} {}")", number(from.x), number(from.y),
                       number(control_a.x), number(control_a.y), number(control_b.x),
                       number(control_b.y), number(to.x), number(to.y));
  stroke(color, width_px, Dash::kSolid);
  body_ += "/>\n";
}

void SvgCanvas::triangle(Point a, Point b, Point c, Color color) {
  const std::array<Point, 3> corners = {a, b, c};
  body_ += R"(<path d=")";
  points(corners, 'M');
  body_ += R"(Z")" + paint("fill", color) + "/>\n";
}

void SvgCanvas::text(Point at, std::string_view text, Color color, float size_px, Align align) {
  body_ += fmt::format(R"(<text x="{}" y="{}" font-size="{}"{}{}>{}</text>)", number(at.x),
                       number(at.y + size_px * kAscender / kLineUnits),
                       number(size_px * kUnitsPerEm / kLineUnits), anchor(align),
                       paint("fill", color), escaped(text)) +
           "\n";
}

float SvgCanvas::text_width(std::string_view text, float size_px) const {
  return dejavu_width(text, size_px);
}

void SvgCanvas::push_clip(Rect rect) {
  body_ += fmt::format(R"(<clipPath id="c{}"><rect)", clips_);
  attributes(rect);
  body_ += fmt::format(R"-(/></clipPath><g clip-path="url(#c{})">)-", clips_) + "\n";
  ++clips_;
}

void SvgCanvas::pop_clip() {
  body_ += "</g>\n";
}

std::string SvgCanvas::finish() const {
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" viewBox="0 0 {} {}" )"
      R"(font-family="DejaVu Sans, Verdana, sans-serif" xml:space="preserve">)",
      number(width_px_ * scale_), number(height_px_ * scale_), number(width_px_),
      number(height_px_));
  svg += '\n';
  for (std::size_t i = 0; i < hatches_.size(); ++i) {
    const std::string side = number(kStripePx);
    svg += fmt::format(
        R"-(<pattern id="h{}" width="{}" height="{}" patternUnits="userSpaceOnUse" )-"
        R"-(patternTransform="rotate(45)"><path d="M0 0V{}"{} stroke-width="2"/></pattern>)-",
        i, side, side, side, paint("stroke", hatches_[i]));
    svg += '\n';
  }
  return svg + body_ + "</svg>\n";
}

}  // namespace tideline::render
