// Tested by unit/memory/step_time_test.cc and unit/memory/faithful_test.cc.
#include "core/memory/step_time.h"

#include <utility>

#include "core/memory/step_clock.h"

namespace tideline {

StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs) {
  return StepClock(graph, step, costs).time();
}

TimeReport report_time(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs) {
  TimeReport report = report_time(TimeReport(), graph, step, costs);
  report.before_ns = report.after.step_ns();
  report.before = report.after_range;
  return report;
}

TimeReport report_time(TimeReport without, const StepGraph& graph, const FaithfulStep& step,
                       const CostModel& costs, std::optional<Bytes> budget) {
  return report_time(std::move(without), StepClock(graph, step, costs), budget);
}

TimeReport report_time(TimeReport without, const StepClock& clock, std::optional<Bytes> budget) {
  StepTime free = clock.time();
  without.held = free.device_peak;
  without.after = budget ? clock.time(budget) : free;
  if (without.after.stuck) {
    free.stuck = without.after.stuck;
    without.after = std::move(free);
  }
  without.after_range = clock.range(without.after);
  without.after.budget = budget;
  return without;
}

}  // namespace tideline
