// Tested by tests/unit/memory/copy_times_test.cc.
#include "core/memory/queued_copies.h"

#include <algorithm>
#include <tuple>

namespace tideline {
namespace {

struct QueuedCopy {
  double ready_ns = 0;
  std::size_t step = 0;  // of what became ready at the same moment the first goes first
  const StepTransfer* transfer = nullptr;
};

}  // namespace

std::vector<CopyTime> queued_copies(const StepGraph& graph, const FaithfulStep& step,
                                    const CostModel& costs, const StepTime& time) {
  std::vector<CopyTime> times;
  if (step.transfers.empty()) return times;
  std::vector<std::size_t> step_of(graph.ops.size(), 0);
  for (std::size_t i = 0; i < step.timeline.schedule.size(); ++i) {
    step_of[step.timeline.schedule[i].index()] = i;
  }
  std::vector<QueuedCopy> queue;
  for (const StepTransfer& transfer : step.transfers) {
    const OpId maker = graph.producer_of[transfer.tensor];
    if (maker.index() >= time.ops.size()) continue;
    queue.push_back({time.ops[maker.index()].end_ns, step_of[maker.index()], &transfer});
  }
  std::sort(queue.begin(), queue.end(), [](const QueuedCopy& a, const QueuedCopy& b) {
    return std::tuple(a.ready_ns, a.step, a.transfer->tensor) <
           std::tuple(b.ready_ns, b.step, b.transfer->tensor);
  });
  double out_free_ns = 0;
  double in_free_ns = 0;
  for (const QueuedCopy& copy : queue) {
    const StepTransfer& transfer = *copy.transfer;
    const OpId maker = graph.producer_of[transfer.tensor];
    double& free_ns = transfer.to_host ? out_free_ns : in_free_ns;
    const double begin = std::max(free_ns, copy.ready_ns);
    free_ns = begin + (transfer.to_host ? costs.to_host_ns(transfer.bytes)
                                        : costs.to_device_ns(transfer.bytes));
    times.push_back({{maker, transfer.tensor - graph.ops[maker.index()].first_tensor},
                     transfer.to_host,
                     transfer.bytes,
                     begin,
                     free_ns});
  }
  std::stable_sort(times.begin(), times.end(),
                   [](const CopyTime& a, const CopyTime& b) { return a.begin_ns < b.begin_ns; });
  return times;
}

}  // namespace tideline
