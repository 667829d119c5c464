// Tested by unit/actions/cycle_runs_test.cc.
#include "render/model/largest_run.h"

#include <algorithm>

namespace tideline::ui {

const RunRow* largest_run(const UiModel& model) {
  const auto largest = std::ranges::max_element(model.runs, {}, &RunRow::peak);
  return largest == model.runs.end() || largest->peak == 0 ? nullptr : &*largest;
}

}  // namespace tideline::ui
