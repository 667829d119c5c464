#include "app/gui/window_picture.h"

#include <cmath>

#include "app/gui/font_problem.h"
#include "app/gui/texture_store.h"
#include "render/model/view_cache.h"
#include "render/ui/offscreen_frame.h"
#include "render/ui/panels.h"
#include "render/ui/theme.h"

namespace tideline::gui {
namespace {

// Tables, scrolling children and popups know their sizes after two frames; one more to be sure.
constexpr int kFramesToSettle = 4;

}  // namespace

Result<gl::Image> draw_window_frames(const ui::UiModel& model, ui::ViewState& view, int width,
                                     int height) {
  const auto scaled = [&view](int length) {
    return static_cast<int>(std::lround(static_cast<float>(length) * view.scale));
  };
  TextureStore textures;
  const ui::OffscreenOptions options = {.width_px = scaled(width),
                                        .height_px = scaled(height),
                                        .body_px = view.font_px * view.scale,
                                        .font_file = view.font_file,
                                        .frames = kFramesToSettle,
                                        .theme = view.theme,
                                        .end = [&textures] { textures.clear(); }};
  ui::ViewCache cache;
  ui::Widgets widgets;
  ui::Intents ignored;
  return ui::draw_offscreen(options, [&](const ui::Fonts& fonts) {
    say_font_problem(fonts);
    ui::apply_theme(view.theme, view.scale);
    textures.begin_frame();
    ui::Ui ui = {model, view, widgets, ignored, fonts, cache, &textures};
    ui::draw_window(ui);
  });
}

}  // namespace tideline::gui
