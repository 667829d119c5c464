// Text that has to fit: names shortened where they say least.
#pragma once

#include <string>
#include <string_view>

#include "render/view/canvas.h"

namespace tideline::render {

/// `text`, or as much of its beginning as is not wider than `width_px`, with ".." behind; nothing
/// when not even two letters fit.
[[nodiscard]] std::string fit_text(const Canvas& canvas, std::string_view text, float size_px,
                                   float width_px);
/// The same for names of ops: the end says most, so ".." stands in front.
[[nodiscard]] std::string fit_name(const Canvas& canvas, std::string_view name, float size_px,
                                   float width_px);
/// What stands behind the last slash: "Relu" of "block1/conv/Relu".
[[nodiscard]] std::string_view last_part(std::string_view name);

}  // namespace tideline::render
