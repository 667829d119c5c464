#include "app/gui/picture.h"

#include <imgui.h>

#include <utility>

#include "app/gui/draw_apart.h"
#include "app/gui/font_problem.h"
#include "core/events/row_values.h"
#include "render/gl/png.h"
#include "render/ui/imgui_canvas.h"
#include "render/ui/offscreen_frame.h"

namespace tideline::gui {
namespace {

constexpr float kBodyPx = 15;

Result<std::string> draw_here(int width, int height, float scale, render::ThemeKind theme,
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

}  // namespace

Result<std::string> draw_png(int width, int height, float scale, render::ThemeKind theme,
                             const std::function<void(render::Canvas&)>& draw) {
  const auto here = [&] { return draw_here(width, height, scale, theme, draw); };
  return is_memory_limited() ? draw_apart(here) : here();
}

Result<ui::Pixels> decode_logged_image(std::string_view encoded) {
  const std::string_view ending = events::file_ending(encoded);
  if (ending != ".png") {
    return fail(Code::kUnsupported, "{}; expected PNG",
                ending == ".bin" ? "no image file" : "a file in " + std::string(ending));
  }
  TIDELINE_TRY(gl::Image image, gl::decode_png(encoded, kMostLoggedPixels));
  return ui::Pixels{image.width, image.height, std::move(image.rgba)};
}

}  // namespace tideline::gui
