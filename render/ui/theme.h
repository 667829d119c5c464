// The style of Dear ImGui: colours from a palette, sizes for a scale.
#pragma once

#include "render/view/palette.h"

struct ImVec4;

namespace tideline::ui {

/// Sets colours and sizes of the current context's style. `scale` is that of the display.
void apply_theme(render::ThemeKind theme, float scale);

[[nodiscard]] ImVec4 to_vec4(render::Color color);
[[nodiscard]] unsigned to_u32(render::Color color);
/// Linear interpolation: `share` 0 gives a, 1 gives b.
[[nodiscard]] render::Color mix(render::Color a, render::Color b, double share);

}  // namespace tideline::ui
