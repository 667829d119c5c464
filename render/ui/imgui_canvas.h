// A Canvas that draws into a draw list of Dear ImGui.
#pragma once

#include "render/ui/fonts.h"
#include "render/view/canvas.h"

struct ImDrawList;

namespace tideline::ui {

/// Calls outside the clip rectangle return early. Coordinates are those of the window. Text of
/// other sizes is scaled from the nearest font of `fonts`.
class ImGuiCanvas final : public render::Canvas {
 public:
  /// Both must outlive the canvas.
  ImGuiCanvas(ImDrawList& list, const Fonts& fonts) : list_(list), fonts_(fonts) {}

  void fill(render::Rect rect, render::Color color, float rounding_px) override;
  void frame(render::Rect rect, render::Color color, float width_px, float rounding_px,
             render::Dash dash) override;
  void hatch(render::Rect rect, render::Color color) override;
  void line(render::Point from, render::Point to, render::Color color, float width_px,
            render::Dash dash) override;
  void polyline(std::span<const render::Point> points, render::Color color,
                float width_px) override;
  void area(std::span<const render::Point> points, float base_y, render::Color color) override;
  void curve(render::Point from, render::Point control_a, render::Point control_b, render::Point to,
             render::Color color, float width_px) override;
  void triangle(render::Point a, render::Point b, render::Point c, render::Color color) override;
  void text(render::Point at, std::string_view text, render::Color color, float size_px,
            render::Align align) override;
  [[nodiscard]] float text_width(std::string_view text, float size_px) const override;
  void push_clip(render::Rect rect) override;
  void pop_clip() override;

 private:
  /// Whether any part of the box is inside the clip rectangle.
  [[nodiscard]] bool visible(float x0, float y0, float x1, float y1, float margin) const;

  ImDrawList& list_;
  const Fonts& fonts_;
};

}  // namespace tideline::ui
