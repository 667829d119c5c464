// Says on standard error that a font could not be used.
#pragma once

#include "render/ui/fonts.h"

namespace tideline::gui {

/// Prints the problem, if there is one, once: the letters of every size have the same.
/// Thread: that of the window.
void say_font_problem(const ui::Fonts& fonts);

}  // namespace tideline::gui
