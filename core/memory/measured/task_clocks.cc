// Problem: in the trace of a step on a cluster every process writes the times of its own clock.
// Clocks of machines differ by milliseconds, steps last as long: an op may seem to begin before its
// input was made on another task.
//
// Idea: a tensor arrives after it was made. For tasks a and b, if what must be added to b's clock
// is d, every tensor that b received from a says: arrival + d >= made, so d >= made - arrival;
// every tensor that a received from b says: arrival >= made + d, so d <= arrival - made. The
// closest of each direction are the bounds of d. Between tasks that sent each other nothing the
// bounds of a way over others are added, the way with the narrowest sum.
//
// Example: a made x at 10, b has it at 8 by its own clock; b made y at 9, a has it at 14: d is at
// least 2 and at most 5, and 2 is taken.
//
// Limits: one offset for the whole step, as clocks do not drift that fast; a task that sends but
// receives nothing, or the reverse, keeps its clock. Source: the bounds are those of Cristian's
// algorithm ("Probabilistic clock synchronization", 1989). Rows "RecvTensor" and their labels:
// TensorFlow, worker_cache_logger.cc (facts).
//
// Tested by unit/memory/measured/task_clocks_test.cc.
#include "core/memory/measured/task_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

#include "core/base/units.h"
#include "core/memory/measured/lane_names.h"

namespace tideline {
namespace {

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();
// Far more than clocks of machines that work together differ; sums of a way stay finite.
constexpr std::int64_t kMost = std::int64_t{1} << 55U;

// A tensor that came from another task.
struct Received {
  std::string_view tensor, from;
};

// Of a row's label "[0.2MB] edge_12_conv1/Relu from /job:a/... to /job:b/...".
std::optional<Received> received(const TracedOp& row) {
  constexpr std::string_view kEdge = "edge_", kFrom = " from ", kTo = " to ";
  if (row.name != "RecvTensor") return std::nullopt;
  const std::size_t edge = row.label.find(kEdge);
  if (edge == std::string_view::npos) return std::nullopt;
  const std::size_t begin = row.label.find('_', edge + kEdge.size());
  const std::size_t from = row.label.rfind(kFrom);
  const std::size_t to = row.label.rfind(kTo);
  if (begin >= from || from >= to || to == std::string_view::npos) return std::nullopt;
  return Received{row.label.substr(begin + 1, from - begin - 1),
                  row.label.substr(from + kFrom.size(), to - from - kFrom.size())};
}

class Clocks {
 public:
  explicit Clocks(const StepTrace& trace) : trace_(trace) {
    for (const TracedDevice& device : trace.devices) {
      const std::string task = task_of_lane(device.name);
      task_of_.push_back(task.empty() ? kNone
                                      : number_of_.try_emplace(task, tasks_.size()).first->second);
      if (task_of_.back() == tasks_.size()) tasks_.push_back(task);
    }
  }

  std::vector<TaskClock> run() {
    std::vector<TaskClock> clocks;
    if (tasks_.size() < 2 || tasks_.size() > kMostTasks) return clocks;
    least_.assign(tasks_.size() * tasks_.size(), kUnknown);
    find_least();
    find_ways();
    const std::size_t reference = find_reference();
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      TaskClock& clock = clocks.emplace_back();
      clock.task = tasks_[task];
      if (task == reference) {
        clock.is_reference = true;
        clock.least_ns = clock.most_ns = 0;
      } else if (are_compared(reference, task)) {
        // What the reference made arrives at the task after -d at the earliest.
        clock.least_ns = -least(reference, task);
        clock.most_ns = std::max(least(task, reference), *clock.least_ns);
        clock.added_ns = std::clamp<std::int64_t>(0, *clock.least_ns, *clock.most_ns);
      }
    }
    return clocks;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kMostTasks = 512;  // ways take their number to the third power

  // The shortest time, by the two clocks, from the end of an op on `from` to its tensor on `to`.
  [[nodiscard]] std::int64_t& least(std::size_t from, std::size_t to) {
    return least_[from * tasks_.size() + to];
  }

  // Whether they sent each other something, if over others.
  [[nodiscard]] bool are_compared(std::size_t one, std::size_t other) {
    return least(one, other) != kUnknown && least(other, one) != kUnknown;
  }

  [[nodiscard]] std::size_t find_reference() {
    std::size_t best = 0;
    std::size_t most = 0;
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      std::size_t count = 0;
      for (std::size_t other = 0; other < tasks_.size(); ++other) {
        if (other != task && are_compared(task, other)) ++count;
      }
      if (count <= most) continue;
      best = task;
      most = count;
    }
    return best;
  }

  void find_least() {
    std::map<std::pair<std::size_t, std::string_view>, std::int64_t> made;  // first end
    for (const TracedOp& row : trace_.ops) {
      const std::size_t task = task_of_[row.device];
      if (task == kNone || row.name == "RecvTensor") continue;
      const auto [found, is_new] = made.try_emplace({task, row.name}, end_of(row));
      if (!is_new) found->second = std::min(found->second, end_of(row));
    }
    for (const TracedOp& row : trace_.ops) {
      const auto tensor = received(row);
      const std::size_t to = task_of_[row.device];
      if (!tensor || to == kNone) continue;
      const auto from = number_of_.find(task_of_lane(tensor->from));
      if (from == number_of_.end()) continue;
      const std::size_t sender = from->second;
      const auto end = made.find({sender, tensor->tensor});
      if (end == made.end() || sender == to) continue;
      const std::int64_t took = std::clamp(end_of(row) - end->second, -kMost, kMost);
      least(sender, to) = std::min(least(sender, to), took);
    }
  }

  // Over other tasks, where that says more.
  void find_ways() {
    const std::size_t count = tasks_.size();
    for (std::size_t over = 0; over < count; ++over) {
      for (std::size_t from = 0; from < count; ++from) {
        for (std::size_t to = 0; to < count; ++to) {
          if (from == to || least(from, over) == kUnknown || least(over, to) == kUnknown) continue;
          const std::int64_t sum = std::clamp(least(from, over) + least(over, to), -kMost, kMost);
          least(from, to) = std::min(least(from, to), sum);
        }
      }
    }
  }

  static std::int64_t end_of(const TracedOp& row) { return row.start_ns + row.duration_ns; }

  const StepTrace& trace_;
  std::vector<std::string> tasks_;
  std::map<std::string, std::size_t> number_of_;
  std::vector<std::size_t> task_of_;  // by device
  std::vector<std::int64_t> least_;
};

// Times before 1970 would be none.
std::int64_t moved(std::int64_t at_ns, std::int64_t by_ns) {
  return std::max<std::int64_t>(0, at_ns + by_ns);
}

std::string signed_time(std::int64_t ns) {
  return ns < 0 ? "-" + format_time(-ns) : format_time(ns);
}

}  // namespace

std::vector<TaskClock> task_clocks(const StepTrace& trace) {
  return Clocks(trace).run();
}

void put_on_one_clock(StepTrace& trace, Diagnostics& diagnostics) {
  const std::vector<TaskClock> clocks = task_clocks(trace);
  std::map<std::string, std::int64_t> added_to;
  const auto reference = std::find_if(clocks.begin(), clocks.end(),
                                      [](const TaskClock& clock) { return clock.is_reference; });
  for (const TaskClock& clock : clocks) {
    if (!clock.least_ns) {
      diagnostics.add(
          Severity::kNotice, "the clock of a task cannot be compared with the others'",
          fmt::format("{} and {} did not send tensors to each other", clock.task, reference->task));
      continue;
    }
    if (clock.added_ns == 0) continue;
    diagnostics.add(Severity::kInfo, "times of a task were moved to the clock of another",
                    fmt::format("{} by {}, to that of {} (between {} and {} is possible)",
                                clock.task, signed_time(clock.added_ns), reference->task,
                                signed_time(*clock.least_ns), signed_time(*clock.most_ns)));
    added_to[clock.task] = clock.added_ns;
  }
  if (added_to.empty()) return;
  std::vector<std::int64_t> added;
  for (const TracedDevice& device : trace.devices) {
    const auto found = added_to.find(task_of_lane(device.name));
    added.push_back(found == added_to.end() ? 0 : found->second);
  }
  for (TracedOp& row : trace.ops) {
    const std::int64_t by = added[row.device];
    if (by == 0) continue;
    row.start_ns = moved(row.start_ns, by);
    for (const TracedMemory& memory : trace.memories_of(row)) {
      for (std::uint32_t i = 0; i < memory.record_count; ++i) {
        AllocationRecord& record = trace.records[memory.first_record + i];
        record.at_ns = moved(record.at_ns, by);
      }
    }
  }
}

}  // namespace tideline
