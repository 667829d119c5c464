// A Canvas that writes an SVG picture: a single file without scripts or external references.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::render {

/// Deterministic. Text is set in DejaVu Sans; its widths come from a table, so no font is needed to
/// draw. NaN and infinity are drawn as 0. Thread: not shared.
class SvgCanvas final : public Canvas {
 public:
  /// `scale` enlarges the picture as a whole: its coordinates stay the same.
  SvgCanvas(float width_px, float height_px, double scale, Color background);

  void fill(Rect rect, Color color, float rounding_px = 0) override;
  void frame(Rect rect, Color color, float width_px, float rounding_px = 0,
             Dash dash = Dash::kSolid) override;
  void hatch(Rect rect, Color color) override;
  void line(Point from, Point to, Color color, float width_px, Dash dash = Dash::kSolid) override;
  void polyline(std::span<const Point> points, Color color, float width_px) override;
  void area(std::span<const Point> points, float base_y, Color color) override;
  void curve(Point from, Point control_a, Point control_b, Point to, Color color,
             float width_px) override;
  void triangle(Point a, Point b, Point c, Color color) override;
  void text(Point at, std::string_view text, Color color, float size_px,
            Align align = Align::kLeft) override;
  [[nodiscard]] float text_width(std::string_view text, float size_px) const override;
  void push_clip(Rect rect) override;
  void pop_clip() override;

  /// The whole file. Precondition: every push_clip has been matched by a pop_clip.
  [[nodiscard]] std::string finish() const;

 private:
  void attributes(Rect rect);
  void points(std::span<const Point> points, char first);
  void stroke(Color color, float width_px, Dash dash);

  float width_px_, height_px_;
  double scale_;
  std::string body_;
  std::vector<Color> hatches_;  // colours that have a pattern
  int clips_ = 0;
};

/// Width of a line of text in DejaVu Sans, `size_px` high.
[[nodiscard]] float dejavu_width(std::string_view text, float size_px);

}  // namespace tideline::render
