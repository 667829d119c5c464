// Problem: a trace records how much each op allocated, when that was released, and the address of
//   each output, but not which buffer an output uses. Allocation ids count from 1 in every op, and
//   addresses are reused.
// Idea: process the executions by start. An output uses the buffer that is live at its address when
//   the op runs; if there is none, the allocation of the op that its id refers to.
//   relu(conv): conv's buffer is live at relu's address, so they share it; conv(x): no buffer is
//   live there and the id is 1, so it is conv's first allocation.
// Cost: O(rows log rows).
// Limits: two outputs of one op with equal size may be confused when they are released (the sum is
//   not affected); in a step on several threads everything an op does counts at its start.
// Source: TensorFlow's TrackingAllocator and step_stats.proto (behaviour only).
// Tested by: tests/unit/memory/measured/measured_step_test.cc, tests/golden/measured_test.cc.
#include "core/memory/measured/measured_buffers.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace tideline {
namespace {

class BufferSearch {
 public:
  BufferSearch(const StepTrace& trace, const std::vector<bool>& own, MeasuredStep& step,
               Diagnostics& diagnostics)
      : trace_(trace), own_(own), step_(step), diagnostics_(diagnostics) {}

  void run() {
    step_.buffer_of.assign(trace_.outputs.size(), MeasuredStep::kResident);
    first_of_memory_.assign(trace_.memories.size(), 0);
    for (std::uint32_t i = 0; i < step_.executions.size(); ++i) add_buffers(i);
    for (std::uint32_t i = 0; i < step_.executions.size(); ++i) place_outputs(i);
    sum_scratch();
  }

 private:
  [[nodiscard]] const TracedOp& row(std::uint32_t execution) const {
    return trace_.ops[step_.executions[execution].row];
  }

  // A release belongs to the oldest allocation of its size.
  void add_buffers(std::uint32_t execution) {
    first_buffer_.push_back(static_cast<std::uint32_t>(step_.buffers.size()));
    const TracedOp& op = row(execution);
    for (std::uint32_t i = op.first_memory; i < op.first_memory + op.memory_count; ++i) {
      const TracedMemory& memory = trace_.memories[i];
      first_of_memory_[i] = static_cast<std::uint32_t>(step_.buffers.size());
      if (!own_[memory.allocator]) continue;
      std::uint32_t ordinal = 0;
      open_.clear();
      for (const AllocationRecord& record : trace_.records_of(memory)) {
        if (record.bytes > 0) {
          open_[record.bytes].push_back(static_cast<std::uint32_t>(step_.buffers.size()));
          MeasuredBuffer buffer;
          buffer.execution = execution;
          buffer.ordinal = ++ordinal;
          buffer.bytes = record.bytes;
          buffer.from_ns = record.at_ns;
          step_.buffers.push_back(buffer);
        } else if (record.bytes < 0) {
          release(record);
        }
      }
    }
  }
  void release(const AllocationRecord& record) {
    const auto open = open_.find(-record.bytes);
    if (open == open_.end() || open->second.empty()) {
      diagnostics_.add(Severity::kNotice, "release of memory that the step did not allocate",
                       fmt::format("{} bytes", -record.bytes));
      return;
    }
    step_.buffers[open->second.front()].to_ns = record.at_ns;
    open->second.pop_front();
  }

  void place_outputs(std::uint32_t execution) {
    const TracedOp& op = row(execution);
    const std::int64_t start = whole_micros(op.start_ns);
    for (std::uint32_t i = op.first_output; i < op.first_output + op.output_count; ++i) {
      const TracedOutput& output = trace_.outputs[i];
      if (output.address == 0 || output.allocated == 0 || !own_[output.allocator]) continue;
      const std::uint32_t own = own_buffer(execution, output);
      const auto there = at_.find(output.address);
      const bool is_shared = there != at_.end() && holds(there->second, own, start);
      if (is_shared) {
        step_.buffer_of[i] = there->second;
        continue;
      }
      const std::uint32_t buffer =
          own != MeasuredStep::kResident ? own : kept_inside(output, start);
      if (buffer == MeasuredStep::kResident) continue;
      step_.buffers[buffer].output = i;
      step_.buffer_of[i] = buffer;
      at_[output.address] = buffer;
    }
  }

  // Whether an output at the address of `buffer` lies in it: when the op has no allocation of its
  // own that it could be, or has made that one while the buffer was there.
  [[nodiscard]] bool holds(std::uint32_t buffer, std::uint32_t own, std::int64_t start) const {
    const MeasuredBuffer& there = step_.buffers[buffer];
    if (own == MeasuredStep::kResident) return there.from_ns <= start && start <= there.to_ns;
    const std::int64_t made = step_.buffers[own].from_ns;
    return there.from_ns <= made && made < there.to_ns;
  }

  // The allocation of `execution` that the id of its output names, unless it is taken.
  [[nodiscard]] std::uint32_t own_buffer(std::uint32_t execution,
                                         const TracedOutput& output) const {
    constexpr std::uint32_t kMostMemories = 64;  // an op uses one allocator, seldom two
    const TracedOp& op = row(execution);
    const std::size_t end =
        execution + 1 < first_buffer_.size() ? first_buffer_[execution + 1] : step_.buffers.size();
    for (std::uint32_t i = 0; i < std::min(op.memory_count, kMostMemories); ++i) {
      if (trace_.memories[op.first_memory + i].allocator != output.allocator) continue;
      if (output.allocation < 1 || output.allocation > std::int64_t{1} << 31U) continue;
      const std::size_t at =
          first_of_memory_[op.first_memory + i] + static_cast<std::size_t>(output.allocation) - 1;
      if (at >= end || step_.buffers[at].ordinal != output.allocation) continue;
      const MeasuredBuffer& buffer = step_.buffers[at];
      if (buffer.is_temporary() && buffer.bytes == output.bytes()) {
        return static_cast<std::uint32_t>(at);
      }
    }
    return MeasuredStep::kResident;
  }

  // A value that an op made without giving it out, such as an element of a TensorArray, comes out
  // of another op: the oldest with this id and size whose address is not known.
  [[nodiscard]] std::uint32_t kept_inside(const TracedOutput& output, std::int64_t at) {
    if (!indexed_) index_kept();
    const auto found = kept_.find(key_of(output.allocation, output.bytes()));
    if (found == kept_.end()) return MeasuredStep::kResident;
    auto& list = found->second;
    constexpr std::size_t kMostSearched = 64;
    for (std::size_t i = 0; i < std::min(list.size(), kMostSearched); ++i) {
      const std::uint32_t buffer = list[i];
      const MeasuredBuffer& kept = step_.buffers[buffer];
      if (!kept.is_temporary() || kept.from_ns > at || kept.to_ns < at) continue;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      return buffer;
    }
    return MeasuredStep::kResident;
  }
  static std::uint64_t key_of(std::int64_t ordinal, Bytes bytes) {
    return static_cast<std::uint64_t>(bytes) * 1024U + static_cast<std::uint64_t>(ordinal) % 1024U;
  }
  void index_kept() {
    indexed_ = true;
    for (std::uint32_t i = 0; i < step_.buffers.size(); ++i) {
      const MeasuredBuffer& buffer = step_.buffers[i];
      const auto ends = row(buffer.execution).start_ns + row(buffer.execution).duration_ns;
      if (buffer.to_ns <= ends) continue;
      kept_[key_of(buffer.ordinal, buffer.bytes)].push_back(i);
    }
  }

  void sum_scratch() {
    std::vector<AllocationRecord> changes;
    for (std::uint32_t i = 0; i < step_.executions.size(); ++i) {
      const MeasuredExecution& execution = step_.executions[i];
      const std::size_t end =
          i + 1 < first_buffer_.size() ? first_buffer_[i + 1] : step_.buffers.size();
      changes.clear();
      for (std::size_t b = first_buffer_[i]; b < end; ++b) {
        const MeasuredBuffer& buffer = step_.buffers[b];
        if (!buffer.is_temporary() || buffer.to_ns > execution.start_ns + execution.duration_ns) {
          continue;
        }
        changes.push_back({buffer.from_ns, buffer.bytes});
        changes.push_back({buffer.to_ns, -buffer.bytes});
      }
      // Allocations first within one timestamp: these buffers were live together.
      std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
        return a.at_ns != b.at_ns ? a.at_ns < b.at_ns : a.bytes > b.bytes;
      });
      Bytes now = 0;
      Bytes most = 0;
      for (const AllocationRecord& change : changes) {
        now += change.bytes;
        most = std::max(most, now);
      }
      step_.scratch.push_back(most);
    }
  }

  const StepTrace& trace_;
  const std::vector<bool>& own_;  // by allocator
  MeasuredStep& step_;
  Diagnostics& diagnostics_;
  std::vector<std::uint32_t> first_buffer_;                    // by execution
  std::vector<std::uint32_t> first_of_memory_;                 // buffers, by StepTrace::memories
  std::unordered_map<Bytes, std::deque<std::uint32_t>> open_;  // of the memory at hand, by size
  std::unordered_map<std::uint64_t, std::uint32_t> at_;        // address -> buffer; only looked up
  bool indexed_ = false;
  std::unordered_map<std::uint64_t, std::deque<std::uint32_t>> kept_;  // only looked up
};

}  // namespace

void find_buffers(const StepTrace& trace, const std::vector<bool>& own, MeasuredStep& step,
                  Diagnostics& diagnostics) {
  BufferSearch(trace, own, step, diagnostics).run();
}

}  // namespace tideline
