// Draws the whole window as a picture, without a display.
#pragma once

#include "core/base/error.h"
#include "render/gl/image.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::gui {

/// The window with this model and view, and the mouse outside of it. The picture has
/// width x view.scale by height x view.scale pixels; `view` has what the frames left in it, such as
/// the images that they wanted. Errors: those of ui::draw_offscreen. Thread: one call at a time.
[[nodiscard]] Result<gl::Image> draw_window_frames(const ui::UiModel& model, ui::ViewState& view,
                                                   int width, int height);

}  // namespace tideline::gui
