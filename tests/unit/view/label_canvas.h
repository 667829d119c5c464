// A canvas that remembers where texts stand, and a check that none lies on another one or is cut.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/view/canvas.h"
#include "render/view/labels.h"
#include "render/view/svg_canvas.h"

namespace tideline::render {

struct Size {
  float width, height;
};
inline constexpr Size kSizes[] = {{1600, 1000}, {1280, 720}, {800, 600}};
inline constexpr float kFonts[] = {16, 24, 32};

// Remembers where texts stand and what of them is seen.
class LabelCanvas final : public Canvas {
 public:
  struct Label {
    std::string text;
    Rect box, clip;
  };

  explicit LabelCanvas(Size size) : clips_{{0, 0, size.width, size.height}} {}

  void fill(Rect, Color, float) override {}
  void frame(Rect, Color, float, float, Dash) override {}
  void hatch(Rect, Color) override {}
  void line(Point, Point, Color, float, Dash) override {}
  void polyline(std::span<const Point>, Color, float) override {}
  void area(std::span<const Point>, float, Color) override {}
  void curve(Point, Point, Point, Point, Color, float) override {}
  void triangle(Point, Point, Point, Color) override {}
  void text(Point at, std::string_view text, Color, float size_px, Align align) override {
    const float width = text_width(text, size_px);
    if (align == Align::kCenter) at.x -= width / 2;
    if (align == Align::kRight) at.x -= width;
    if (text.empty()) return;
    labels.push_back(
        {std::string(text), {at.x, at.y, at.x + width, at.y + size_px}, clips_.back()});
  }
  [[nodiscard]] float text_width(std::string_view text, float size_px) const override {
    return dejavu_width(text, size_px);
  }
  void push_clip(Rect rect) override {
    const Rect& outer = clips_.back();
    clips_.push_back({std::max(rect.x0, outer.x0), std::max(rect.y0, outer.y0),
                      std::min(rect.x1, outer.x1), std::min(rect.y1, outer.y1)});
  }
  void pop_clip() override { clips_.pop_back(); }

  std::vector<Label> labels;

 private:
  std::vector<Rect> clips_;
};

inline bool is_seen(const LabelCanvas::Label& label) {
  return do_meet(label.box, label.clip);
}

inline void check_labels(const LabelCanvas& canvas) {
  for (std::size_t i = 0; i < canvas.labels.size(); ++i) {
    const LabelCanvas::Label& a = canvas.labels[i];
    if (!is_seen(a)) continue;
    const float slack = 1.5F;  // numbers of pixels are rounded
    const bool is_whole = a.box.x0 >= a.clip.x0 - slack && a.box.x1 <= a.clip.x1 + slack &&
                          a.box.y0 >= a.clip.y0 - slack && a.box.y1 <= a.clip.y1 + slack;
    if (!is_whole) {
      FAIL_CHECK("cut: '" << a.text << "' " << a.box.x0 << " " << a.box.y0 << " " << a.box.x1 << " "
                          << a.box.y1 << " in " << a.clip.x0 << " " << a.clip.y0 << " " << a.clip.x1
                          << " " << a.clip.y1);
    }
    for (std::size_t k = 0; k < i; ++k) {
      const LabelCanvas::Label& b = canvas.labels[k];
      Rect less = b.box;
      less.x0 += 0.5F, less.y0 += 0.5F, less.x1 -= 0.5F, less.y1 -= 0.5F;
      if (is_seen(b) && do_meet(a.box, less))
        FAIL_CHECK("'" << a.text << "' on '" << b.text << "'");
    }
  }
}

}  // namespace tideline::render
