#include "app/gui/font_problem.h"

#include <string>

#include "app/engine/say.h"

namespace tideline::gui {

void say_font_problem(const ui::Fonts& fonts) {
  static std::string said;  // a window loads its fonts anew in every size
  if (fonts.problem.empty() || fonts.problem == said) return;
  said = fonts.problem;
  app::complain("tideline: warning: {}\n", fonts.problem);
}

}  // namespace tideline::gui
