// Draws PNG pictures without a display.
#pragma once

#include <functional>
#include <string>

#include "core/base/error.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"

namespace tideline::gui {

/// Calls `draw` once with a canvas of `width` x `height` pixels on the theme's background, and
/// returns the bytes of a PNG file. `scale` is that of the display: 2 doubles the size of text and
/// hatching; `draw` scales everything else itself. Errors: those of draw_offscreen. Thread: one
/// call at a time.
[[nodiscard]] Result<std::string> draw_png(int width, int height, float scale,
                                           render::ThemeKind theme,
                                           const std::function<void(render::Canvas&)>& draw);

}  // namespace tideline::gui
