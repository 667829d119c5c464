// Pictures as PNG without a display.
#pragma once

#include <functional>
#include <string>

#include "core/base/error.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"

namespace tideline::gui {

/// Calls `draw` once with a canvas of `width` x `height` pixels on the theme's background, and
/// returns the bytes of a PNG file. `scale` is that of the display: 2 makes letters and stripes
/// twice as large; what `draw` draws it sizes itself. Thread: one at a time.
/// Errors: those of draw_offscreen.
[[nodiscard]] Result<std::string> draw_png(int width, int height, float scale,
                                           render::ThemeKind theme,
                                           const std::function<void(render::Canvas&)>& draw);

}  // namespace tideline::gui
