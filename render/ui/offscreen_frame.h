// What Dear ImGui draws, as pixels, without a display.
#pragma once

#include <functional>

#include "core/base/error.h"
#include "render/gl/image.h"
#include "render/ui/fonts.h"
#include "render/view/palette.h"

namespace tideline::ui {

struct OffscreenOptions {
  int width_px = 0;  ///< of the picture, after scaling
  int height_px = 0;
  float body_px = 15;  ///< height of a line of text in the picture
  int frames = 1;      ///< panels need a few until their sizes settle; only the last one is kept
  render::ThemeKind theme = render::ThemeKind::kDark;
};

/// Calls `draw` once a frame between NewFrame and Render, in an ImGui context of its own.
/// The same calls give the same pixels on one version of Mesa. Thread: one at a time.
/// Errors: those of OffscreenContext and Framebuffer.
[[nodiscard]] Result<gl::Image> draw_offscreen(const OffscreenOptions& options,
                                               const std::function<void(const Fonts&)>& draw);

}  // namespace tideline::ui
