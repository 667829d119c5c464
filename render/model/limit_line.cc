// Tested by unit/model/levels_limit_test.cc.
#include "render/model/limit_line.h"

#include <fmt/format.h>

#include "render/model/levels_limit.h"

namespace tideline::ui {

ResultLine limit_line(const UiModel& model, std::size_t device, const LevelStretch& limit) {
  ResultLine line;
  line.name = "levels";
  line.text = fmt::format(
      "{}",
      fmt::join(render::level_stretch_lines(*model.scene, device, limit.from, limit.to), "\n"));
  line.hint = "What happens at the levels that tables are limited to: a drag with Ctrl chose them";
  line.label = limit_label(limit);
  line.action = "levels.clear";
  return line;
}

}  // namespace tideline::ui
