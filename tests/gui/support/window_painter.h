// Draws many pictures of windows: what takes long, fonts and OpenGL, is made once.
#pragma once

#include <memory>

#include "render/gl/image.h"
#include "render/model/ui_model.h"
#include "render/model/view_state.h"

namespace tideline::gui {

/// As draw_window_frames (app/gui/window_picture.h), for one model and one size of letters. Fails
/// the test where that gives an error. Thread: one at a time.
class WindowPainter {
 public:
  /// `model` must outlive it; `view` has the size of letters.
  WindowPainter(const ui::UiModel& model, const ui::ViewState& view);
  ~WindowPainter();
  WindowPainter(const WindowPainter&) = delete;
  WindowPainter& operator=(const WindowPainter&) = delete;

  /// `view` has what the frames left in it, such as how a table is sorted.
  [[nodiscard]] gl::Image draw(ui::ViewState& view, int width, int height);

 private:
  struct Parts;
  const ui::UiModel& model_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tideline::gui
