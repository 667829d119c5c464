#include "app/gui/font_problem.h"

#include "app/engine/say.h"

namespace tideline::gui {

void say_font_problem(const ui::Fonts& fonts) {
  static bool was_said = false;
  if (fonts.problem.empty() || was_said) return;
  was_said = true;
  app::complain("tideline: warning: {}\n", fonts.problem);
}

}  // namespace tideline::gui
