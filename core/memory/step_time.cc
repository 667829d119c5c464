// Tested by unit/memory/faithful_test.cc.
#include "core/memory/step_time.h"

#include <algorithm>

namespace tideline {
namespace {

class Clock {
 public:
  Clock(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs)
      : graph_(graph),
        step_(step),
        costs_(costs),
        times_(graph.ops.size()),
        arrival_(graph.tensors.size(), kNotMoved) {}

  StepTime run() {
    auto transfer = step_.transfers.begin();
    for (const OpId op : step_.timeline.schedule) {
      times_[op.index()] =
          graph_.ops[op.index()].space == Space::kDevice ? run_on_device(op) : elsewhere(op);
      for (; transfer != step_.transfers.end() && transfer->after == op; ++transfer) {
        move(*transfer);
      }
    }
    result_.added_ns = nanos(now_) - result_.compute_ns;
    result_.to_host_ns = nanos(out_busy_);
    result_.to_device_ns = nanos(in_busy_);
    result_.ops = std::move(times_);
    return std::move(result_);
  }

 private:
  static constexpr double kNotMoved = -1;

  static std::int64_t nanos(double ns) {
    constexpr double kMost = 9e18;
    return static_cast<std::int64_t>(std::min(ns, kMost));
  }

  [[nodiscard]] double end(OpId op) const { return times_[op.index()].end_ns; }

  // When everything that `op` reads or waits for is there, but for swap-ins.
  [[nodiscard]] double ready(OpId op) const {
    double when = 0;
    for (const StepInput& input : graph_.inputs_of(op)) {
      if (input.is_back_edge) continue;
      when = std::max(when, end(graph_.producer_of[input.tensor]));
      if (input.space == Space::kHost) when = std::max(when, arrival_[input.tensor]);
    }
    for (const OpId control : graph_.controls_of(op)) {
      when = std::max(when, end(control));
    }
    return when;
  }

  [[nodiscard]] OpTime elsewhere(OpId op) const {
    const double when = ready(op);
    return {when, when};
  }

  OpTime run_on_device(OpId op) {
    double begin = now_;
    for (const StepInput& input : graph_.inputs_of(op)) {
      if (input.space == Space::kDevice) wait(op, input.tensor, begin);
    }
    // A control edge from a swap-out holds the computation until the copy has been made.
    begin = std::max(begin, ready(op));
    const OpCost cost = costs_.op_cost(graph_, op);
    count(cost.source);
    compute_ += cost.ns;
    result_.compute_ns = nanos(compute_);
    now_ = begin + cost.ns;
    return {begin, now_};
  }

  void count(CostSource source) {
    switch (source) {
      case CostSource::kMeasured: ++result_.measured_ops; break;
      case CostSource::kFlops:
      case CostSource::kBytes: ++result_.assumed_ops; break;
      case CostSource::kGuessed: ++result_.guessed_ops; break;
      case CostSource::kNoKernel: break;
    }
  }

  void wait(OpId op, std::uint32_t tensor, double& begin) {
    const double arrives = arrival_[tensor];
    if (arrives <= begin || graph_.tensors[tensor].home == Space::kDevice) return;
    const OpId copy = graph_.producer_of[tensor];
    const std::uint32_t slot = tensor - graph_.ops[copy.index()].first_tensor;
    result_.late.push_back({{copy, slot}, op, nanos(arrives - begin)});
    begin = arrives;
  }

  void move(const StepTransfer& transfer) {
    double& free = transfer.to_host ? out_free_ : in_free_;
    const double takes =
        transfer.to_host ? costs_.to_host_ns(transfer.bytes) : costs_.to_device_ns(transfer.bytes);
    free = std::max(free, end(transfer.after)) + takes;
    (transfer.to_host ? out_busy_ : in_busy_) += takes;
    arrival_[transfer.tensor] = free;
  }

  const StepGraph& graph_;
  const FaithfulStep& step_;
  const CostModel& costs_;
  std::vector<OpTime> times_;    // by op
  std::vector<double> arrival_;  // by tensor, on the other side
  double now_ = 0;
  double compute_ = 0;
  double out_free_ = 0, in_free_ = 0;
  double out_busy_ = 0, in_busy_ = 0;
  StepTime result_;
};

}  // namespace

StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs) {
  return Clock(graph, step, costs).run();
}

TimeRange time_range(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs,
                     const StepTime& time) {
  if (time.assumed_ops == 0 && time.guessed_ops == 0) return {time.step_ns(), time.step_ns()};
  const auto with = [&](const CostModel& model) {
    return estimate_time(graph, step, model).step_ns();
  };
  // A waiting op can make others wait less, so neither need be an end of the range.
  const std::int64_t shortest = time.guessed_ops > 0 ? with(costs.shortest()) : time.step_ns();
  const std::int64_t longest = with(costs.longest());
  return {std::min({shortest, longest, time.step_ns()}),
          std::max({shortest, longest, time.step_ns()})};
}

TimeReport report_time(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs) {
  TimeReport report = report_time(TimeReport(), graph, step, costs);
  report.before_ns = report.after.step_ns();
  report.before = report.after_range;
  return report;
}

TimeReport report_time(TimeReport without, const StepGraph& graph, const FaithfulStep& step,
                       const CostModel& costs) {
  without.after = estimate_time(graph, step, costs);
  without.after_range = time_range(graph, step, costs, without.after);
  return without;
}

}  // namespace tideline
