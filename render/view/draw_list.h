// A Canvas that lists its calls as JSON, for a front that paints elsewhere: tideline.picture/1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "render/view/axis.h"
#include "render/view/canvas.h"

namespace tideline::render {

/// What a picture says of itself beside its calls.
struct PictureInfo {
  std::uint64_t revision = 0;            ///< of the model that it shows
  Axis axis = {};                        ///< as drawn
  std::int32_t count = 0;                ///< positions of the whole axis
  std::optional<double> scroll_px = {};  ///< of rows, where a picture has some, as drawn
};

/// One row a call, in order: [kind, index into the colours, numbers...], with the kinds
///   0 fill x0 y0 x1 y1 [rounding]             1 frame x0 y0 x1 y1 width rounding dash
///   2 hatch x0 y0 x1 y1                       3 line x0 y0 x1 y1 width dash
///   4 polyline width x y x y ...              5 area base_y x y x y ...
///   6 curve width x0 y0 xa ya xb yb x1 y1     7 triangle x y x y x y
///   8 text x y size align index width         9 push clip x0 y0 x1 y1       10 pop clip
/// Numbers are pixels with one decimal at most; `dash` and `align` are the enumerators of canvas.h
/// as numbers. `size` is the height of a line of DejaVu Sans, whose em is 2048/2384 of it and whose
/// baseline lies 1901/2384 of it below `y`; `width` is the text's width in that font. Points of
/// polylines and areas that lie on a straight way between others are left out, and so are lines of
/// less than two points. NaN and infinity are written as 0, texts as SvgCanvas does. Deterministic.
/// Thread: not shared.
class DrawList final : public Canvas {
 public:
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

  /// Rows so far.
  [[nodiscard]] std::size_t calls() const { return calls_; }
  /// {"schema":"tideline.picture/1","revision":..,"first":..,"span":..,"count":..,"axis":[x0,x1],
  /// "scroll":..,"colors":["#rrggbbaa"],"texts":[..],"list":[[..],..]}: `first` stands at x0,
  /// `first` + `span` at x1; pictures without rows have no "scroll". Valid JSON in UTF-8, on one
  /// line. Precondition: every push_clip has been matched by a pop_clip.
  [[nodiscard]] std::string json(const PictureInfo& info) const;

 private:
  enum class Kind : std::uint8_t;

  void begin(Kind kind, Color color);
  void add(Kind kind, Color color, std::initializer_list<float> numbers);
  void add_line(Kind kind, Color color, float number, std::span<const Point> points);

  std::string list_;  // the rows
  std::size_t calls_ = 0;
  std::vector<Color> colors_;
  std::unordered_map<std::uint32_t, std::size_t> color_at_;
  std::string texts_;  // the strings of JSON, with commas between them
  std::unordered_map<std::string, std::size_t> text_at_;
};

}  // namespace tideline::render
