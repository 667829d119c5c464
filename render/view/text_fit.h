// Shortens text to a given width.
#pragma once

#include <string>
#include <string_view>

#include "render/view/canvas.h"

namespace tideline::render {

/// `text`, or as much of its beginning as fits into `width_px`, followed by ".."; empty when fewer
/// than two letters fit.
[[nodiscard]] std::string fit_text(const Canvas& canvas, std::string_view text, float size_px,
                                   float width_px);
/// The same for names of ops, which are shortened at the front: their end is more significant.
[[nodiscard]] std::string fit_name(const Canvas& canvas, std::string_view name, float size_px,
                                   float width_px);
/// The part after the last slash: "Relu" of "block1/conv/Relu".
[[nodiscard]] std::string_view last_part(std::string_view name);

}  // namespace tideline::render
