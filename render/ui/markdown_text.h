// Draws Markdown that was laid out.
#pragma once

#include "render/model/markdown.h"
#include "render/ui/panel.h"

namespace tideline::ui {

/// Widths in the fonts of the window; `ui` must outlive it.
[[nodiscard]] MeasureWords measure_words(const Ui& ui);
/// Draws it at the cursor of the current ImGui window, which is moved below it. The address of a
/// link is said while the mouse is on it; nothing is opened. Cost: O(pieces).
void draw_markdown(Ui& ui, const MarkdownLayout& layout);

}  // namespace tideline::ui
