// The time of one op.
//
// Problem: the time of an op on a device where nobody has measured it.
// Idea: a roofline. An op performs arithmetic and moves bytes, a device does both concurrently, and
// the slower of the two determines the time:
//     launch_ns + max(flops / (share * flops_per_s(element type)), bytes / memory_bytes_per_s)
// Bytes are what the op reads and writes in device memory; flops are counted by op_flops.h; an op
// of unknown flops, or of a type without a rate, is costed by its bytes. An op that starts no
// kernel takes no time. The share is the part of the peak that its kernel reaches
// (kernel_share.h); a kernel of arithmetic takes 10 us more to fill the device and to drain it. One
// that changes the layout of its operands reads and writes everything twice more, in two kernels.
// Example: at 15.7 Tflop/s and 790 GB/s, the 14.8 Gflop of a 3 x 3 convolution take 628 us (it
// reaches 1.5 of the peak, by Winograd's method) and the 103 MB of its images 130 us: it takes 628
// us. The Relu after it only moves the 103 MB: 130 us. Each adds 4 us for the launch. Profiles
// without figures for computing (links, files of older versions) describe copies: with them every
// op, of whatever kind, is costed by its bytes.
//
// Limits: the value of a variable is not counted for the ops that read it, so small batches and
// optimizers are too fast. Ops run one at a time. assets/docs/device_profiles.md compares results
// with published ones.
// Source: S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model
// for Multicore Architectures", Communications of the ACM 52(4), 2009, section 3; the 10 us: a fit
// to the small products of DeepBench (kernel_share.cc).
// Tested by unit/memory/cost_model_test.cc.
#include "core/memory/cost_model.h"

#include <algorithm>
#include <utility>

namespace tideline {
namespace {

constexpr double kNanosPerSecond = 1e9;
constexpr double kFillNs = 10'000;
constexpr double kLayoutChanges = 2;  // to the kernel's and back

double moved_bytes(const StepGraph& graph, OpId op) {
  double bytes = 0;
  for (const StepInput& input : graph.inputs_of(op)) {
    if (input.space == Space::kDevice) {
      bytes += static_cast<double>(graph.tensors[input.tensor].bytes);
    }
  }
  const StepOp& entry = graph.ops[op.index()];
  for (std::uint32_t slot = 0; slot < entry.tensor_count; ++slot) {
    const StepTensor& tensor = graph.tensors[entry.first_tensor + slot];
    if (tensor.home == Space::kDevice) bytes += static_cast<double>(tensor.bytes);
  }
  return bytes;
}

double copy_ns(const LinkSpeed& link, Bytes bytes) {
  return static_cast<double>(link.latency_ns) +
         static_cast<double>(bytes) / link.bytes_per_s * kNanosPerSecond;
}

}  // namespace

CostModel::CostModel(DeviceProfile profile, std::span<const std::int64_t> measured_ns,
                     std::int64_t span_ns)
    : profile_(std::move(profile)), measured_ns_(measured_ns), span_ns_(span_ns) {}

// A plan may have made copies of what is fetched; they tell nothing. An op that only waits need not
// have a row of its own.
bool CostModel::is_traced(const StepGraph& graph) const {
  const auto has_run = [this](OpId op) { return measured_ns_[op.index()] >= 0; };
  bool is_any = false;
  for (const OpId op : graph.fetches) {
    if (!is_of_traced_graph(op)) continue;
    if (has_run(op)) {
      is_any = true;
    } else if (graph.fetch_rule != FetchRule::kAll) {
      if (!graph.ops[op.index()].only_waits) return false;
      for (const OpId before : graph.controls_of(op)) {
        if (is_of_traced_graph(before) && !has_run(before)) return false;
        is_any = true;
      }
    }
  }
  return is_any;
}

OpCost CostModel::op_cost(const StepGraph& graph, OpId op) const {
  if (op.index() < measured_ns_.size() && measured_ns_[op.index()] >= 0) {
    return {static_cast<double>(measured_ns_[op.index()]), CostSource::kMeasured};
  }
  const double bytes_ns = moved_bytes(graph, op) / profile_.memory_bytes_per_s * kNanosPerSecond;
  if (!profile_.knows_computing()) return {bytes_ns, CostSource::kGuessed};
  const StepOp& entry = graph.ops[op.index()];
  if (!entry.runs_kernel) return {0, CostSource::kNoKernel};
  const auto launch_ns = static_cast<double>(profile_.launch_ns);
  const FlopsRate* rate = profile_.rate_of(entry.flops_type);
  if (rate == nullptr || entry.flops == 0) return {launch_ns + bytes_ns, CostSource::kBytes};
  const double share = rate->on_tensor_cores ? entry.share.tensor_cores : entry.share.ordinary;
  const double flops_ns = entry.flops / (share * rate->flops_per_s) * kNanosPerSecond;
  const double layout_ns = entry.share.changes_layout ? kLayoutChanges * (launch_ns + bytes_ns) : 0;
  return {launch_ns + kFillNs + layout_ns + std::max(flops_ns, bytes_ns),
          flops_ns > bytes_ns ? CostSource::kFlops : CostSource::kBytes};
}

double CostModel::to_host_ns(Bytes bytes) const {
  return copy_ns(profile_.to_host, bytes);
}

double CostModel::to_device_ns(Bytes bytes) const {
  return copy_ns(profile_.to_device, bytes);
}

}  // namespace tideline
