// Draws PNG pictures without a display.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "render/model/log_images.h"
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

/// Decodes an image of a log, at most kMostLoggedPixels. Errors: kUnsupported for other formats
/// than PNG, and for more pixels; kCorrupt. Thread: pure.
[[nodiscard]] Result<ui::Pixels> decode_logged_image(std::string_view encoded);
inline constexpr std::uint64_t kMostLoggedPixels = std::uint64_t{32} << 20U;

}  // namespace tideline::gui
