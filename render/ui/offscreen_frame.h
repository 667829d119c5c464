// Draws Dear ImGui frames into an image, without a display.
#pragma once

#include <functional>
#include <string>

#include "core/base/error.h"
#include "render/gl/image.h"
#include "render/ui/fonts.h"
#include "render/view/palette.h"

namespace tideline::ui {

struct OffscreenOptions {
  int width_px = 0;  ///< of the picture, after scaling
  int height_px = 0;
  float body_px = 15;          ///< height of a line of text in the picture
  std::string font_file = {};  ///< empty: DejaVu Sans
  int frames = 1;  ///< number of frames, as layouts need a few to settle; the last is returned
  render::ThemeKind theme = render::ThemeKind::kDark;
  std::function<void()> end = {};  ///< called while the context is still there; may be empty
};

/// Calls `draw` once per frame, between NewFrame and Render, in a temporary ImGui context. The same
/// calls give the same pixels with the same version of Mesa. Errors: those of OffscreenContext and
/// Framebuffer. Thread: one call at a time.
[[nodiscard]] Result<gl::Image> draw_offscreen(const OffscreenOptions& options,
                                               const std::function<void(const Fonts&)>& draw);

}  // namespace tideline::ui
