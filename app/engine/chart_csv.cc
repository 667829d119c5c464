// Tested by unit/actions/commands_log_test.cc and unit/web/routes_log_test.cc.
#include "app/engine/chart_csv.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace tideline::app {

std::string chart_csv(const std::vector<render::RunCurve>& curves) {
  std::string text = "run,step,wall_time,value\n";
  for (const render::RunCurve& run : curves) {
    for (const events::ScalarPoint& point : run.curve.points) {
      text += fmt::format("{},{},{},{}\n", csv_field(run.run), point.step, point.wall_time,
                          point.value);
    }
  }
  return text;
}

}  // namespace tideline::app
