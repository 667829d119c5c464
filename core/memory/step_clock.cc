// Problem: the timeline of a step (faithful.h) knows steps but no time. A tensor that is swapped
// out is gone with its last reader, though its copy may last for hundreds of ops, and a copy back
// takes its memory at the step of its swap-in, though the link may be busy. A plan that fits by
// steps may hold twice the memory when ops do not wait for copies; and if they wait, the step takes
// longer than the links and the ops tell.
//
// Idea: simulate events. Three things run at a time: an op on the device, a copy to the host, a
// copy to the device. Whatever ends gives memory back and makes others ready; an op or a copy to
// the device begins when its bytes fit below the budget. Between two ends nothing changes.
//
// Each link is first come, first served, by the moment at which a copy becomes ready: a copy out
// when the op that makes its tensor has ended, a copy in when the swap-in's inputs and control
// edges are done. Memory is taken by the begin of the op or of the copy in, and given back when the
// last op that reads it has ended, for a swapped tensor not before its copy out has. Until then a
// result cannot be written over it: the op takes memory of its own. If nothing runs and nothing can
// begin, the step is stuck: it does not fit.
//
// Example: op a makes 10 bytes, of which a copy takes 8 us to the host; b and c, 1 us each, make 10
// bytes and do not read a again. With a budget of 20 c waits until a's copy has ended, from 2 us to
// 9 us; without, 30 bytes are held from 2 us on, where the timeline has 20.
//
// Ties: at one moment what has ended is first; then copies out begin, then ops, one after the other
// as long as they take no time, then copies in; of two copies that became ready at the same moment
// the one whose op comes first in the step.
//
// Cost: O(ops + edges + copies log copies) for preparation and for each run. A device op waits for
// all before it in any case, so of 100,000 ops only few edges have to be counted.
//
// Limits: ops on other devices and copies that belong to no swap take no time (the latter wait for
// memory, first come, first served); what the allocator loses between buffers is not counted.
//
// Source: own; that a buffer is held by its copy: TensorFlow, gpu_util.cc, and that allocations
// wait for memory: allocator_retry.cc (behaviour only).
//
// Tested by unit/memory/step_clock_test.cc, and by integration/clock_check.py, an event simulation
// that was written from these rules alone.
#include "core/memory/step_clock.h"

#include <algorithm>

#include "core/memory/clock_run.h"
#include "core/memory/clock_timeline.h"

namespace tideline {
namespace {

constexpr CostFactors kUsualTimes = {};
constexpr CostFactors kShortestTimes = {kAssumedLeast, kGuessedLeast};
constexpr CostFactors kLongestTimes = {kAssumedMost, kGuessedMost};

}  // namespace

StepClock::StepClock(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs)
    : graph_(graph), step_(step), input_(graph, step, costs) {}

StepTime StepClock::time(std::optional<Bytes> budget) const {
  return ClockRun(input_, kUsualTimes, budget).run(graph_.ops.size());
}

// A waiting op can make others wait less, so any of the three may give either end.
TimeRange StepClock::range(const StepTime& usual) const {
  TimeRange range = {usual.step_ns(), usual.step_ns()};
  if (usual.assumed_ops == 0 && usual.guessed_ops == 0) return range;
  for (const CostFactors factors : {kShortestTimes, kLongestTimes}) {
    const StepTime time = ClockRun(input_, factors, usual.budget).run(graph_.ops.size());
    if (time.stuck) continue;
    range.least_ns = std::min(range.least_ns, time.step_ns());
    range.most_ns = std::max(range.most_ns, time.step_ns());
  }
  return range;
}

Bytes StepClock::least_memory(Bytes below) const {
  const StepTime first = time(below - 1);
  if (first.stuck) return below;
  Bytes good = first.device_peak;
  Bytes bad = input_.resident - 1;
  while (good - bad > 1) {
    const Bytes middle = bad + (good - bad) / 2;
    const StepTime tried = time(middle);
    if (tried.stuck) {
      // Nothing less lets anything begin at that moment.
      bad = std::min(std::max(middle, tried.stuck->bytes - 1), good - 1);
    } else {
      good = std::max(std::min(middle, tried.device_peak), bad + 1);
    }
  }
  return good;
}

FaithfulStep StepClock::timeline(std::optional<Bytes> budget) const {
  std::vector<ClockEvent> events;
  ClockRun run(input_, kUsualTimes, budget, &events);
  const StepTime time = run.run(graph_.ops.size());
  return clock_timeline(graph_, step_, input_, run.memory_of(), events);
}

}  // namespace tideline
