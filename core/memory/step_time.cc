// Tested by unit/memory/faithful_test.cc.
#include "core/memory/step_time.h"

#include <algorithm>

namespace tideline {
namespace {

constexpr double kNanosPerSecond = 1e9;

class Clock {
 public:
  Clock(const StepGraph& graph, const FaithfulStep& step, const DeviceProfile& profile,
        std::span<const std::int64_t> measured_ns)
      : graph_(graph),
        step_(step),
        profile_(profile),
        times_(graph.ops.size()),
        measured_ns_(measured_ns),
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
    double bytes = 0;
    double begin = now_;
    for (const StepInput& input : graph_.inputs_of(op)) {
      if (input.space == Space::kDevice) {
        bytes += static_cast<double>(graph_.tensors[input.tensor].bytes);
        wait(op, input.tensor, begin);
      }
    }
    const StepOp& entry = graph_.ops[op.index()];
    for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
      const StepTensor& tensor = graph_.tensors[entry.first_tensor + slot];
      if (tensor.home == Space::kDevice) bytes += static_cast<double>(tensor.bytes);
    }
    // A control edge from a swap-out holds the computation until the copy has been made.
    begin = std::max(begin, ready(op));
    const double takes = takes_of(op, bytes);
    compute_ += takes;
    result_.compute_ns = nanos(compute_);
    now_ = begin + takes;
    return {begin, now_};
  }

  double takes_of(OpId op, double bytes) {
    if (op.index() < measured_ns_.size() && measured_ns_[op.index()] >= 0) {
      ++result_.measured_ops;
      return static_cast<double>(measured_ns_[op.index()]);
    }
    ++result_.assumed_ops;
    return bytes / profile_.memory_bytes_per_s * kNanosPerSecond;
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
    const LinkSpeed& link = transfer.to_host ? profile_.to_host : profile_.to_device;
    double& free = transfer.to_host ? out_free_ : in_free_;
    const double takes = static_cast<double>(link.latency_ns) +
                         static_cast<double>(transfer.bytes) / link.bytes_per_s * kNanosPerSecond;
    free = std::max(free, end(transfer.after)) + takes;
    (transfer.to_host ? out_busy_ : in_busy_) += takes;
    arrival_[transfer.tensor] = free;
  }

  const StepGraph& graph_;
  const FaithfulStep& step_;
  const DeviceProfile& profile_;
  std::vector<OpTime> times_;  // by op
  std::span<const std::int64_t> measured_ns_;
  std::vector<double> arrival_;  // by tensor, on the other side
  double now_ = 0;
  double compute_ = 0;
  double out_free_ = 0, in_free_ = 0;
  double out_busy_ = 0, in_busy_ = 0;
  StepTime result_;
};

}  // namespace

StepTime estimate_time(const StepGraph& graph, const FaithfulStep& step,
                       const DeviceProfile& profile, std::span<const std::int64_t> measured_ns) {
  return Clock(graph, step, profile, measured_ns).run();
}

}  // namespace tideline
