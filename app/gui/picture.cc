#include "app/gui/picture.h"

#include <imgui.h>

#include "app/gui/font_problem.h"
#include "render/gl/png.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/offscreen_frame.h"

namespace tideline::gui {
namespace {

constexpr float kBodyPx = 15;

}  // namespace

Result<std::string> draw_png(int width, int height, float scale, render::ThemeKind theme,
                             const std::function<void(render::Canvas&)>& draw) {
  const ui::OffscreenOptions options = {.width_px = width,
                                        .height_px = height,
                                        .body_px = kBodyPx * scale,
                                        .frames = 1,
                                        .theme = theme};
  TIDELINE_TRY(const gl::Image image, ui::draw_offscreen(options, [&](const ui::Fonts& fonts) {
                 say_font_problem(fonts);
                 ui::ImGuiCanvas canvas(*ImGui::GetBackgroundDrawList(), fonts);
                 draw(canvas);
               }));
  return gl::encode_png(image);
}

}  // namespace tideline::gui
