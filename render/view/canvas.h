// The interface that views draw on, implemented for the screen (Dear ImGui) and for SVG files.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tideline::render {

/// Pixels; x to the right, y downwards.
struct Point {
  float x = 0;
  float y = 0;
  friend constexpr bool operator==(Point, Point) = default;
};

struct Rect {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  [[nodiscard]] constexpr float width() const { return x1 - x0; }
  [[nodiscard]] constexpr float height() const { return y1 - y0; }
  [[nodiscard]] constexpr bool contains(Point p) const {
    return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1;
  }
  friend constexpr bool operator==(Rect, Rect) = default;
};

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  [[nodiscard]] constexpr Color with_alpha(double share_0_1) const {
    // std::lround is not constexpr, and what is rounded here is never negative.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    return {r, g, b, static_cast<std::uint8_t>(a * share_0_1 + 0.5)};
  }
  /// What is seen of this colour on an opaque `ground`.
  [[nodiscard]] constexpr Color over(Color ground) const {
    const auto mix = [&](int top, int below) {
      return static_cast<std::uint8_t>((top * a + below * (255 - a) + 127) / 255);
    };
    return {mix(r, ground.r), mix(g, ground.g), mix(b, ground.b)};
  }
  friend constexpr bool operator==(Color, Color) = default;
};

enum class Dash : std::uint8_t { kSolid, kDashed, kDotted };
enum class Align : std::uint8_t { kLeft, kCenter, kRight };

/// Later calls draw on top of earlier ones. Units: pixels of the target. Thread: not shared.
class Canvas {
 public:
  virtual ~Canvas() = default;

  virtual void fill(Rect rect, Color color, float rounding_px = 0) = 0;
  virtual void frame(Rect rect, Color color, float width_px, float rounding_px = 0,
                     Dash dash = Dash::kSolid) = 0;
  /// Diagonal hatching, for unknown quantities.
  virtual void hatch(Rect rect, Color color) = 0;
  virtual void line(Point from, Point to, Color color, float width_px,
                    Dash dash = Dash::kSolid) = 0;
  virtual void polyline(std::span<const Point> points, Color color, float width_px) = 0;
  /// The area between the line through `points` (x is non-decreasing) and the horizontal at
  /// `base_y`.
  virtual void area(std::span<const Point> points, float base_y, Color color) = 0;
  /// A cubic Bezier curve.
  virtual void curve(Point from, Point control_a, Point control_b, Point to, Color color,
                     float width_px) = 0;
  virtual void triangle(Point a, Point b, Point c, Color color) = 0;
  /// `at` is the top of the line of text, `size_px` its height.
  virtual void text(Point at, std::string_view text, Color color, float size_px,
                    Align align = Align::kLeft) = 0;
  [[nodiscard]] virtual float text_width(std::string_view text, float size_px) const = 0;
  /// Clips to `rect` until pop_clip; nested clips intersect.
  virtual void push_clip(Rect rect) = 0;
  virtual void pop_clip() = 0;
};

}  // namespace tideline::render
