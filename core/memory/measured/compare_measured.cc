// Problem: that two curves differ by a number of bytes explains nothing; a user wants to know whose
//   bytes these are.
// Idea: at one time, list the live buffers of the run and of the model, and match them by the
//   tensor first stored in each. Unmatched buffers are the differences, and what happened to the
//   counterpart of each is the reason. The differences add up to the deviation.
// Cost: O(buffers) for each point in time.
// Limits: points in time are executions; with several threads, everything an op does counts at its
//   start.
// Source: own. Tested by: tests/unit/memory/measured/compare_measured_test.cc,
// tests/golden/measured_test.cc.
#include "core/memory/measured/compare_measured.h"

#include <algorithm>

#include "core/memory/faithful.h"
#include "core/memory/measured/executed_step.h"

namespace tideline {
namespace {

class Moment {
 public:
  Moment(const StepTrace& trace, const MeasuredStep& measured, const ExecutedStep& executed,
         const FaithfulStep& model, std::uint32_t execution)
      : trace_(trace), measured_(measured), executed_(executed), model_(model) {
    std::uint32_t at = execution;
    while (at > 0 && executed.op_at[at] == ExecutedStep::kNone) --at;
    is_after_ = at != execution || executed.op_at[at] == ExecutedStep::kNone;
    step_ = executed.op_at[at] == ExecutedStep::kNone
                ? -1
                : static_cast<std::int32_t>(executed.op_at[at]);
    execution_of_row_.assign(trace.ops.size(), 0);
    for (std::uint32_t i = 0; i < measured.executions.size(); ++i) {
      execution_of_row_[measured.executions[i].row] = i;
    }
  }

  std::vector<MemoryDifference> differences(std::int64_t at_ns) {
    matched_.assign(model_.buffers.size(), false);
    is_live_.reserve(measured_.buffers.size());
    for (const MeasuredBuffer& buffer : measured_.buffers) {
      is_live_.push_back(buffer.is_live(at_ns));
    }
    // First buffers of both with the same first tensor, then buffers that the model shares.
    for (const bool exact : {true, false}) {
      for (std::size_t i = 0; i < measured_.buffers.size(); ++i) {
        if (is_live_[i]) match(measured_.buffers[i], exact, at_ns);
      }
    }
    for (std::uint32_t i = 0; i < model_.buffers.size(); ++i) {
      if (!matched_[i] && is_live(i)) add_model_only(model_.buffers[i], at_ns);
    }
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
      return std::abs(a.model - a.measured) > std::abs(b.model - b.measured);
    });
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_live(std::uint32_t buffer) const {
    const StepBuffer& about = model_.buffers[buffer];
    if (about.is_pinned || about.space != Space::kDevice || about.bytes == 0) return false;
    return about.from_step <= step_ && (is_after_ ? about.to_step > step_ : about.to_step >= step_);
  }

  // The buffer of the model in which the first tensor of `buffer` lies.
  [[nodiscard]] std::uint32_t counterpart(const MeasuredBuffer& buffer, std::int64_t& slot,
                                          DifferenceReason& reason) const {
    const std::uint32_t owner =
        buffer.is_temporary() ? buffer.execution : execution_of_output(buffer);
    const std::uint32_t at = executed_.op_at[owner];
    if (at == ExecutedStep::kNone) {
      reason = DifferenceReason::kNotInGraph;
      return kNoBuffer;
    }
    if (buffer.is_temporary()) {
      reason = DifferenceReason::kTemporary;
      return kNoBuffer;
    }
    slot = trace_.outputs[buffer.output].slot;
    const StepOp& op = executed_.graph.ops[at];
    if (slot >= op.tensor_count) {
      reason = DifferenceReason::kExtraOutput;
      return kNoBuffer;
    }
    const std::uint32_t tensor = op.first_tensor + static_cast<std::uint32_t>(slot);
    reason = DifferenceReason::kResident;
    return model_.buffers_of[tensor][static_cast<std::size_t>(Space::kDevice)];
  }
  // A value that one op made inside may come out of another one.
  [[nodiscard]] std::uint32_t execution_of_output(const MeasuredBuffer& buffer) const {
    const TracedOp& maker = trace_.ops[measured_.executions[buffer.execution].row];
    const bool is_own = buffer.output - maker.first_output < maker.output_count;
    return is_own ? buffer.execution : taker_of(buffer.output);
  }
  [[nodiscard]] std::uint32_t taker_of(std::uint32_t output) const {
    const auto row = std::upper_bound(
        trace_.ops.begin(), trace_.ops.end(), output,
        [](std::uint32_t value, const TracedOp& op) { return value < op.first_output; });
    const auto index = static_cast<std::size_t>(row - trace_.ops.begin()) - 1;
    return execution_of_row_[index];
  }

  void match(const MeasuredBuffer& buffer, bool exact, std::int64_t at_ns) {
    std::int64_t slot = -1;
    DifferenceReason reason = DifferenceReason::kTemporary;
    const std::uint32_t other = counterpart(buffer, slot, reason);
    const bool is_first = other != kNoBuffer && is_first_of(buffer, model_.buffers[other], slot);
    if (is_first != exact) return;
    if (other == kNoBuffer || model_.buffers[other].is_pinned) {
      found_.push_back({buffer.execution, slot, buffer.bytes, 0, reason});
    } else if (!is_live(other)) {
      const bool is_read = is_running(model_.buffers[other].last_reader, at_ns);
      found_.push_back({buffer.execution, slot, buffer.bytes, 0,
                        is_read ? DifferenceReason::kStillRead : DifferenceReason::kFreedLater});
    } else if (matched_[other]) {
      found_.push_back({buffer.execution, slot, buffer.bytes, 0, DifferenceReason::kSharedInModel});
    } else {
      matched_[other] = true;
      const Bytes model = model_.buffers[other].bytes;
      if (model == buffer.bytes) return;
      found_.push_back({buffer.execution, slot, buffer.bytes, model, DifferenceReason::kSize});
    }
  }
  [[nodiscard]] bool is_running(OpId op, std::int64_t at_ns) const {
    if (!op.valid()) return false;
    const std::uint32_t execution = executed_.execution_of[op.index()];
    if (execution == ExecutedStep::kNone) return false;
    const MeasuredExecution& about = measured_.executions[execution];
    return about.start_ns <= at_ns && at_ns <= about.start_ns + about.duration_ns;
  }
  [[nodiscard]] bool is_first_of(const MeasuredBuffer& buffer, const StepBuffer& model,
                                 std::int64_t slot) const {
    return executed_.op_at[buffer.execution] == model.tensor.op.value &&
           slot == static_cast<std::int64_t>(model.tensor.slot);
  }

  void add_model_only(const StepBuffer& buffer, std::int64_t at_ns) {
    const std::uint32_t execution = executed_.execution_of[buffer.tensor.op.index()];
    MemoryDifference difference{execution, buffer.tensor.slot, 0, buffer.bytes,
                                DifferenceReason::kResident};
    const TracedOp& row = trace_.ops[measured_.executions[execution].row];
    for (std::uint32_t i = row.first_output; i < row.first_output + row.output_count; ++i) {
      if (trace_.outputs[i].slot != buffer.tensor.slot) continue;
      const std::uint32_t measured = measured_.buffer_of[i];
      if (measured == MeasuredStep::kResident) continue;
      difference.reason = is_live_[measured] ? DifferenceReason::kSharedInRun
                          : measured_.buffers[measured].from_ns > at_ns
                              ? DifferenceReason::kMadeLater
                              : DifferenceReason::kFreedEarlier;
    }
    found_.push_back(difference);
  }

  const StepTrace& trace_;
  const MeasuredStep& measured_;
  const ExecutedStep& executed_;
  const FaithfulStep& model_;
  std::int32_t step_ = -1;
  bool is_after_ = false;
  std::vector<std::uint32_t> execution_of_row_;
  std::vector<bool> matched_;  // by buffer of the model
  std::vector<bool> is_live_;  // by measured buffer
  std::vector<MemoryDifference> found_;
};

// By complete level, then file order, as the model would run them.
StepSchedule own_order(const ExecutedStep& executed, const MeasuredStep& measured) {
  StepSchedule schedule = schedule_step(executed.graph);
  const auto file_order = [&](OpId op) {
    const std::uint32_t execution = executed.execution_of[op.index()];
    return execution == ExecutedStep::kNone ? OpId{0} : measured.executions[execution].op;
  };
  std::vector<std::size_t> order(schedule.ops.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (schedule.level[a] != schedule.level[b]) return schedule.level[a] < schedule.level[b];
    return file_order(schedule.ops[a]) < file_order(schedule.ops[b]);
  });
  StepSchedule sorted = schedule;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.ops[i] = schedule.ops[order[i]];
    sorted.level[i] = schedule.level[order[i]];
    sorted.step[sorted.ops[i].index()] = static_cast<std::int32_t>(i);
  }
  return sorted;
}

// Live once each step is over.
std::vector<Bytes> live_after(const FaithfulStep& model) {
  std::vector<Bytes> live(model.timeline.schedule.size() + 1);
  for (const StepBuffer& buffer : model.buffers) {
    if (buffer.is_pinned || buffer.space != Space::kDevice) continue;
    live[static_cast<std::size_t>(buffer.from_step)] += buffer.bytes;
    live[static_cast<std::size_t>(buffer.to_step)] -= buffer.bytes;
  }
  for (std::size_t i = 1; i < live.size(); ++i) live[i] += live[i - 1];
  return live;
}

// The time of the run's peak between the starts of `execution` and of the next one.
std::int64_t time_of_most(const MeasuredStep& measured, std::uint32_t execution) {
  const std::int64_t from = whole_micros(measured.executions[execution].start_ns);
  const std::int64_t to = execution + 1 < measured.executions.size()
                              ? whole_micros(measured.executions[execution + 1].start_ns)
                              : MeasuredBuffer::kKept;
  std::int64_t when = from;
  Bytes most = 0;
  bool has_begun = false;
  for (const CurvePoint& point : measured.curve) {
    if (point.at_ns >= to) break;
    if ((has_begun || point.at_ns > from) && point.bytes <= most) continue;
    has_begun = point.at_ns >= from;
    most = point.bytes;
    when = std::max(point.at_ns, from);
  }
  return when;
}

}  // namespace

std::string_view difference_reason_text(DifferenceReason reason) {
  switch (reason) {
    case DifferenceReason::kTemporary: return "scratch memory that the model does not have";
    case DifferenceReason::kNotInGraph: return "of an op that is not in the graph";
    case DifferenceReason::kExtraOutput: return "an output that the op does not have in the graph";
    case DifferenceReason::kFreedLater: return "kept longer in the run";
    case DifferenceReason::kStillRead: return "its last reader was still running";
    case DifferenceReason::kFreedEarlier: return "released earlier in the run";
    case DifferenceReason::kMadeLater: return "allocated later in the run";
    case DifferenceReason::kSharedInModel: return "shares a buffer in the model, not in the run";
    case DifferenceReason::kSharedInRun: return "shares a buffer in the run, not in the model";
    case DifferenceReason::kResident: return "resident, or not allocated in this step";
    case DifferenceReason::kSize: return "of another size";
  }
  return "";
}

double deviation(Bytes a, Bytes b) {
  if (a == b) return 0;
  const double difference = static_cast<double>(a) - static_cast<double>(b);
  return b == 0 ? 1 : (difference < 0 ? -difference : difference) / static_cast<double>(b);
}

MeasuredComparison compare_with_model(const Graph& graph, const StepGraph& step,
                                      const OpFactsTable& facts, const StepTrace& trace,
                                      const MeasuredStep& measured) {
  MeasuredComparison result;
  ExecutedStep executed = executed_step(graph, step, facts, trace, measured);
  const FaithfulStep model = simulate_step(executed.graph, executed.schedule);
  const std::vector<Bytes> after = live_after(model);
  Bytes last = 0;
  Bytes largest = -1;
  for (std::uint32_t i = 0; i < measured.executions.size(); ++i) {
    const std::uint32_t at = executed.op_at[i];
    const bool is_op = at != ExecutedStep::kNone;
    const Bytes live = is_op ? model.timeline.device[at] - measured.scratch[i] : last;
    if (is_op) last = after[at];
    result.model.push_back(live);
    result.model_peak = std::max(result.model_peak, live);
    const Bytes difference = std::abs(live - measured.live[i]);
    if (difference <= largest) continue;
    largest = difference;
    result.largest_at = i;
  }
  if (!result.model.empty()) {
    const std::uint32_t peak = measured.peak_execution;
    result.model_at_peak = result.model[peak];
    const bool is_op = executed.op_at[peak] != ExecutedStep::kNone;
    result.model_with_scratch_at_peak = result.model[peak] + (is_op ? measured.scratch[peak] : 0);
  }
  for (StepOp& op : executed.graph.ops) op.scratch = 0;
  result.own_order_peak =
      simulate_step(executed.graph, own_order(executed, measured)).timeline.device_peak;
  result.at_peak = Moment(trace, measured, executed, model, measured.peak_execution)
                       .differences(measured.peak_ns);
  result.at_largest = Moment(trace, measured, executed, model, result.largest_at)
                          .differences(time_of_most(measured, result.largest_at));
  return result;
}

}  // namespace tideline
