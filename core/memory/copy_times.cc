// Problem: a run of the clock says when ops run, but of a copy only that its reader was late.
// Idea: give each copy a probe, an op on the host that waits for nothing else. Such ops take no
// time and no device memory, so the step stays as it is, and a probe runs at the moment at which
// its copy has ended; it began by its own length before.
// Example: a copy of 8 us that becomes ready at 1 us, while the link is busy until 5 us: its probe
// runs at 13 us.
// Cost: O(ops + edges + copies log copies).
// Source: own. Tested by tests/unit/memory/copy_times_test.cc.
#include "core/memory/copy_times.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/memory/clock_input.h"
#include "core/memory/clock_run.h"

namespace tideline {
namespace {

// Steps are numbered before copies: behind the probes, which are steps, copies move on.
void add_probes(std::size_t first_op, ClockInput& input) {
  const auto steps = static_cast<std::uint32_t>(input.ops.size());
  const auto copies = static_cast<std::uint32_t>(input.copies.size());
  const auto moved = [&](std::uint32_t node) { return node < steps ? node : node + copies; };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t node = 0; node < steps + copies; ++node) {
    for (const std::uint32_t next : input.successors.of(node)) {
      edges.emplace_back(moved(node), moved(next));
    }
  }
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    edges.emplace_back(steps + copies + copy, steps + copy);
    input.ops.emplace_back();
    input.ops.back().op = OpId{static_cast<std::uint32_t>(first_op + copy)};
    for (IndexLists* lists : {&input.takes, &input.releases, &input.swapped_in}) {
      lists->end_list();
    }
  }
  input.successors = IndexLists::of_pairs(steps + 2 * std::size_t{copies}, edges);
  input.pending.insert(input.pending.begin() + steps, copies, 1);
}

}  // namespace

std::vector<CopyTime> copy_times(const StepGraph& graph, const FaithfulStep& step,
                                 const CostModel& costs, std::optional<Bytes> budget) {
  std::vector<CopyTime> times;
  if (step.transfers.empty()) return times;
  std::map<std::pair<std::uint32_t, bool>, Bytes> bytes;  // by tensor and direction
  for (const StepTransfer& transfer : step.transfers) {
    bytes[{transfer.tensor, transfer.to_host}] = transfer.bytes;
  }
  ClockInput input(graph, step, costs);
  const std::size_t ops = graph.ops.size();
  add_probes(ops, input);
  const StepTime time = ClockRun(input, {}, budget).run(ops + input.copies.size());
  for (std::size_t i = 0; i < input.copies.size(); ++i) {
    const ClockCopy& copy = input.copies[i];
    if (copy.queue == ClockCopy::Queue::kAtOnce) continue;
    const double end = time.ops[ops + i].end_ns;
    if (end <= 0 && copy.ns > 0) continue;  // the step is stuck
    const bool to_host = copy.queue == ClockCopy::Queue::kOut;
    times.push_back({{input.ops[copy.step].op, copy.slot},
                     to_host,
                     bytes[{copy.tensor, to_host}],
                     end - copy.ns,
                     end});
  }
  std::stable_sort(times.begin(), times.end(),
                   [](const CopyTime& a, const CopyTime& b) { return a.begin_ns < b.begin_ns; });
  return times;
}

}  // namespace tideline
