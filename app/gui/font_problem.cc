#include "app/gui/font_problem.h"

#include <fmt/format.h>

#include <cstdio>

namespace tideline::gui {

void say_font_problem(const ui::Fonts& fonts) {
  static bool was_said = false;
  if (fonts.problem.empty() || was_said) return;
  was_said = true;
  fmt::print(stderr, "tideline: warning: {}\n", fonts.problem);
}

}  // namespace tideline::gui
