// The whole window as PNG, without a display.
#pragma once

#include <string>

#include "core/base/error.h"
#include "render/gl/image.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::gui {

/// The window as a user with this model and this view would see it, the mouse elsewhere. The
/// picture has width * view.scale by height * view.scale pixels. Thread: one at a time.
/// Errors: those of ui::draw_offscreen.
[[nodiscard]] Result<gl::Image> draw_window_image(const ui::UiModel& model, ui::ViewState view,
                                                  int width, int height);
/// The same as the bytes of a PNG file.
[[nodiscard]] Result<std::string> draw_window_png(const ui::UiModel& model,
                                                  const ui::ViewState& view, int width, int height);

}  // namespace tideline::gui
