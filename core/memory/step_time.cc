// Problem: a step has an estimated time, and the shortest and the longest that it may take. Three
//   walks over a hundred thousand ops wait for memory three times.
// Idea: one walk with a clock for each; what an op takes differs by a factor. Only the first clock
//   says when ops ran and what was late.
// Cost: O(ops + edges); three clocks take a quarter longer than one.
// Tested by unit/memory/faithful_test.cc.
#include "core/memory/step_time.h"

#include <algorithm>
#include <array>

namespace tideline {
namespace {

// How many times its estimated cost an op takes, by where the estimate comes from.
struct Factors {
  double assumed = 1;
  double guessed = 1;

  [[nodiscard]] double of(CostSource source) const {
    switch (source) {
      case CostSource::kFlops:
      case CostSource::kBytes: return assumed;
      case CostSource::kGuessed: return guessed;
      case CostSource::kMeasured:
      case CostSource::kNoKernel: break;
    }
    return 1;
  }
};

constexpr std::array<Factors, 1> kUsual = {Factors{}};
constexpr std::array<Factors, 3> kUsualShortestLongest = {Factors{}, Factors{1, kGuessedLeast},
                                                          Factors{kAssumedMost, kGuessedMost}};

template <std::size_t kClocks>
class Clocks {
 public:
  Clocks(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs,
         const std::array<Factors, kClocks>& factors)
      : graph_(graph),
        step_(step),
        costs_(costs),
        factors_(factors),
        ends_(graph.ops.size()),
        times_(graph.ops.size()),
        arrival_(graph.tensors.size(), filled(kNotMoved)) {}

  StepTime run() {
    auto transfer = step_.transfers.begin();
    for (const OpId op : step_.timeline.schedule) {
      if (graph_.ops[op.index()].space == Space::kDevice) {
        run_on_device(op);
      } else {
        ends_[op.index()] = ready(op);
        times_[op.index()] = {end(op)[0], end(op)[0]};
      }
      for (; transfer != step_.transfers.end() && transfer->after == op; ++transfer) {
        move(*transfer);
      }
    }
    result_.compute_ns = nanos(compute_[0]);
    result_.added_ns = nanos(now_[0]) - result_.compute_ns;
    result_.to_host_ns = nanos(out_busy_);
    result_.to_device_ns = nanos(in_busy_);
    result_.ops = std::move(times_);
    return std::move(result_);
  }

  // The least and the most of the steps by all clocks. A waiting op can make others wait less, so
  // any clock may give either end.
  [[nodiscard]] TimeRange range() const {
    TimeRange range = {step_ns(0), step_ns(0)};
    for (std::size_t i = 1; i < kClocks; ++i) {
      range.least_ns = std::min(range.least_ns, step_ns(i));
      range.most_ns = std::max(range.most_ns, step_ns(i));
    }
    return range;
  }

 private:
  using Times = std::array<double, kClocks>;
  static constexpr double kNotMoved = -1;

  static constexpr Times filled(double value) {
    Times times;
    times.fill(value);
    return times;
  }
  static std::int64_t nanos(double ns) {
    constexpr double kMost = 9e18;
    return static_cast<std::int64_t>(std::min(ns, kMost));
  }
  [[nodiscard]] std::int64_t step_ns(std::size_t clock) const { return nanos(now_[clock]); }

  static void raise(Times& times, const Times& to) {
    for (std::size_t i = 0; i < kClocks; ++i) times[i] = std::max(times[i], to[i]);
  }
  [[nodiscard]] const Times& end(OpId op) const { return ends_[op.index()]; }

  // When everything that `op` reads or waits for is there, but for swap-ins.
  [[nodiscard]] Times ready(OpId op) const {
    Times when = filled(0);
    for (const StepInput& input : graph_.inputs_of(op)) {
      if (input.is_back_edge) continue;
      raise(when, end(graph_.producer_of[input.tensor]));
      if (input.space == Space::kHost) raise(when, arrival_[input.tensor]);
    }
    for (const OpId control : graph_.controls_of(op)) raise(when, end(control));
    return when;
  }

  void run_on_device(OpId op) {
    Times begin = now_;
    for (const StepInput& input : graph_.inputs_of(op)) {
      if (input.space == Space::kDevice) wait(op, input.tensor, begin);
    }
    // A control edge from a swap-out holds the computation until the copy has been made.
    raise(begin, ready(op));
    const OpCost cost = costs_.op_cost(graph_, op);
    count(cost.source);
    for (std::size_t i = 0; i < kClocks; ++i) {
      const double takes = cost.ns * factors_[i].of(cost.source);
      compute_[i] += takes;
      now_[i] = begin[i] + takes;
    }
    ends_[op.index()] = now_;
    times_[op.index()] = {begin[0], now_[0]};
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

  void wait(OpId op, std::uint32_t tensor, Times& begin) {
    const Times& arrives = arrival_[tensor];
    if (arrives[0] == kNotMoved || graph_.tensors[tensor].home == Space::kDevice) return;
    if (arrives[0] > begin[0]) {
      const OpId copy = graph_.producer_of[tensor];
      const std::uint32_t slot = tensor - graph_.ops[copy.index()].first_tensor;
      result_.late.push_back({{copy, slot}, op, nanos(arrives[0] - begin[0])});
    }
    raise(begin, arrives);
  }

  void move(const StepTransfer& transfer) {
    Times& free = transfer.to_host ? out_free_ : in_free_;
    const double takes =
        transfer.to_host ? costs_.to_host_ns(transfer.bytes) : costs_.to_device_ns(transfer.bytes);
    raise(free, end(transfer.after));
    for (double& when : free) when += takes;
    (transfer.to_host ? out_busy_ : in_busy_) += takes;
    arrival_[transfer.tensor] = free;
  }

  const StepGraph& graph_;
  const FaithfulStep& step_;
  const CostModel& costs_;
  const std::array<Factors, kClocks>& factors_;
  std::vector<Times> ends_;     // by op
  std::vector<OpTime> times_;   // by op, of the first clock
  std::vector<Times> arrival_;  // by tensor, on the other side
  Times now_ = filled(0);
  Times compute_ = filled(0);
  Times out_free_ = filled(0);
  Times in_free_ = filled(0);
  double out_busy_ = 0, in_busy_ = 0;
  StepTime result_;
};

}  // namespace

StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs) {
  return Clocks(graph, step, costs, kUsual).run();
}

TimeReport report_time(const StepGraph& graph, const FaithfulStep& step, const CostModel& costs) {
  TimeReport report = report_time(TimeReport(), graph, step, costs);
  report.before_ns = report.after.step_ns();
  report.before = report.after_range;
  return report;
}

TimeReport report_time(TimeReport without, const StepGraph& graph, const FaithfulStep& step,
                       const CostModel& costs) {
  Clocks clocks(graph, step, costs, kUsualShortestLongest);
  without.after = clocks.run();
  without.after_range = clocks.range();
  return without;
}

}  // namespace tideline
