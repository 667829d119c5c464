// Tested by unit/view/sweep_chart_test.cc.
#include "app/engine/shown_sweep.h"

#include <algorithm>

namespace tideline::app {
namespace {

render::SweepAxis axis_of(const Varied& varied) {
  render::SweepAxis axis;
  axis.name = varied.parameter->name;
  for (const Value& value : varied.values) {
    axis.values.push_back(value_text(value, varied.parameter->kind));
  }
  return axis;
}

}  // namespace

render::SweepGrid shown_sweep(const SweepRequest& request, const Sweep& found) {
  render::SweepGrid grid;
  grid.x = axis_of(request.varied.front());
  if (request.varied.size() > 1) grid.y = axis_of(request.varied[1]);
  for (const SweepRow& row : found.rows) {
    grid.cells.push_back({row.device_peak, row.step_ns, row.fits().value_or(true)});
  }
  grid.best = found.best;
  const std::optional<Bytes>& budget = found.rows.front().budget;
  grid.has_budget = budget.has_value();
  const bool is_same = std::all_of(found.rows.begin(), found.rows.end(),
                                   [&](const SweepRow& row) { return row.budget == budget; });
  if (is_same) grid.budget = budget;
  return grid;
}

}  // namespace tideline::app
