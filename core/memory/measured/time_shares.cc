// Problem: a device runs several ops at once: threads of a CPU, streams of a GPU, and the executor
// of a GPU's ops beside its kernels. The durations of a traced step then add up to more than the
// step took, and a step that is simulated op by op would take longer than the one that was traced.
// Idea: at every moment the executions of a device that run then share it equally. With k of them
// running, a clock goes at 1/k of its speed; an execution's time is what this clock goes from its
// start to its end.
// Example: a runs from 0 to 10 us, b from 4 to 10 us: a has 4 + 3 us, b 3 us, together 10 us.
// What does not name an op of the graph has a share, too, but nobody is told of it. Sends and
// receives wait for others, mostly; they take no part. Cost: O(rows log rows). Source: own.
// Limits: a kernel that takes a tenth of a device has the same share as one that takes the rest.
// Tested by tests/unit/memory/measured/time_shares_test.cc.
#include "core/memory/measured/time_shares.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>

#include "core/base/units.h"
#include "core/memory/measured/lane_names.h"
#include "core/memory/measured/traced_names.h"

namespace tideline {
namespace {

constexpr std::uint64_t kMostNs = std::uint64_t{1} << 62U;

struct Execution {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  OpId op;  // invalid when it names none
};

// "conv1/Conv2D:Conv2D" as a tracer of kernels spells it; else as it stands.
OpId op_of_kernel(const Graph& graph, std::string_view name) {
  const OpId op = graph.find(name);
  if (op.valid()) return op;
  return graph.find(name.substr(0, name.rfind(':')));
}

bool is_transfer(const TracedOp& row) {
  const std::string_view type = traced_type(row);
  return type.ends_with("Send") || type.ends_with("Recv");
}

// Adds the shares of one device's executions.
void add_shares(const std::vector<Execution>& executions, std::vector<double>& shares) {
  // Ends come before beginnings at the same time.
  std::vector<std::tuple<std::int64_t, bool, std::uint32_t>> events;
  events.reserve(2 * executions.size());
  for (std::uint32_t i = 0; i < executions.size(); ++i) {
    if (executions[i].from_ns == executions[i].to_ns) continue;
    events.emplace_back(executions[i].from_ns, true, i);
    events.emplace_back(executions[i].to_ns, false, i);
  }
  std::sort(events.begin(), events.end());
  std::vector<double> clock_at_start(executions.size(), 0);
  double clock = 0;
  std::int64_t now = 0;
  std::int64_t running = 0;
  for (const auto& [at, is_start, index] : events) {
    if (running > 0) clock += static_cast<double>(at - now) / static_cast<double>(running);
    now = at;
    running += is_start ? 1 : -1;
    if (is_start) {
      clock_at_start[index] = clock;
    } else if (const OpId op = executions[index].op; op.valid()) {
      shares[op.index()] += clock - clock_at_start[index];
    }
  }
}

class Shares {
 public:
  Shares(const Graph& graph, const StepTrace& trace)
      : graph_(graph),
        trace_(trace),
        clock_(trace),
        is_traced_(graph.op_count()),
        has_kernels_(graph.op_count()) {
    const bool has_tasks = has_several_tasks(trace);
    for (const TracedDevice& device : trace.devices) {
      groups_.push_back(device_of_lane(device.name, has_tasks));
      has_all_ = has_all_ || is_all(device);
    }
  }

  std::vector<std::int64_t> run() {
    for (const TracedOp& row : trace_.ops) {
      if (const OpId op = counted_kernel(row); op.valid()) has_kernels_[op.index()] = true;
    }
    for (const TracedOp& row : trace_.ops) add(row);
    std::vector<double> shares(graph_.op_count(), 0);
    for (const auto& [device, executions] : by_device_) add_shares(executions, shares);
    std::vector<std::int64_t> times(graph_.op_count(), -1);
    for (std::size_t op = 0; op < times.size(); ++op) {
      constexpr double kRounding = 1e-6;  // of sums of thirds and the like
      if (is_traced_[op]) times[op] = static_cast<std::int64_t>(shares[op] + kRounding);
    }
    return times;
  }

 private:
  // Each kernel stands once there and once on its own stream.
  static bool is_all(const TracedDevice& device) { return device.name.ends_with("/stream:all"); }
  [[nodiscard]] bool is_counted_kernel(const TracedOp& row) const {
    const TracedDevice& device = trace_.devices[row.device];
    return device.lane == TraceLane::kKernels && (!has_all_ || is_all(device));
  }
  [[nodiscard]] OpId counted_kernel(const TracedOp& row) const {
    return is_counted_kernel(row) ? op_of_kernel(graph_, row.name) : OpId{};
  }

  void add(const TracedOp& row) {
    const TraceLane lane = trace_.devices[row.device].lane;
    if (lane == TraceLane::kKernels ? !is_counted_kernel(row) : lane != TraceLane::kOps) return;
    const OpId op =
        lane == TraceLane::kKernels ? op_of_kernel(graph_, row.name) : graph_.find(row.name);
    if (op.valid()) is_traced_[op.index()] = true;
    if (lane == TraceLane::kOps) {
      if (op.valid() && has_kernels_[op.index()]) return;  // it was only started then
      if (is_transfer(row)) return;
    }
    by_device_[groups_[row.device]].push_back({clock_.start_of(row), clock_.end_of(row), op});
  }

  const Graph& graph_;
  const StepTrace& trace_;
  TraceClock clock_;
  std::vector<bool> is_traced_;    // by op
  std::vector<bool> has_kernels_;  // by op
  std::vector<std::string> groups_;
  bool has_all_ = false;
  std::map<std::string, std::vector<Execution>> by_device_;
};

}  // namespace

TraceClock::TraceClock(const StepTrace& trace) : begin_(std::numeric_limits<std::int64_t>::max()) {
  for (const TracedOp& row : trace.ops) begin_ = std::min(begin_, row.start_ns);
  for (const TracedOp& row : trace.ops) span_ = std::max(span_, end_of(row));
}

std::int64_t TraceClock::start_of(const TracedOp& row) const {
  const std::uint64_t passed =
      static_cast<std::uint64_t>(row.start_ns) - static_cast<std::uint64_t>(begin_);
  return static_cast<std::int64_t>(std::min(passed, kMostNs));
}

std::int64_t TraceClock::end_of(const TracedOp& row) const {
  const std::int64_t start = start_of(row);
  return start + std::min(row.duration_ns, static_cast<std::int64_t>(kMostNs) - start);
}

std::vector<std::int64_t> measured_times(const Graph& graph, const StepTrace& trace) {
  return Shares(graph, trace).run();
}

}  // namespace tideline
