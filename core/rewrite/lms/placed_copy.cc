// Source: TensorFlow, grappler/optimizers/memory_optimizer.cc, BuildSwapPair and SwappingPass
// (types, attributes and names of the pair; facts only). Grappler makes a pair for each input and
// colocates both with its reader, by a group of its own name; here a tensor leaves once and comes
// back for each group of consumers, and the groups are those of the ops on both ends, so that these
// need not change. Tested by unit/rewrite/placed_copy_test.cc.
#include "core/rewrite/lms/placed_copy.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/placement.h"
#include "core/graph/device_name.h"
#include "core/graph/op_types.h"

namespace tideline {

Status check_copy_mode(const Graph& graph, CopyMode mode,
                       const std::optional<std::string>& gpu_device) {
  if (mode != CopyMode::kGrappler) return {};
  if (gpu_device && Placement::names_cpu(*gpu_device)) {
    return fail(
        Code::kUnsupported,
        "{{copy-mode}} grappler: {{gpu-device}} {} is a CPU, and only GPUs have kernels for "
        "its copies; expected a GPU, or {{copy-mode}} identity",
        *gpu_device);
  }
  const auto& devices = graph.devices();
  if (graph.op_count() > 0 && std::all_of(devices.begin(), devices.end(), Placement::names_cpu)) {
    return fail(Code::kUnsupported,
                "{{copy-mode}} grappler: all ops of the graph are placed on CPUs, and only GPUs "
                "have kernels for its copies; expected ops on a GPU, or {{copy-mode}} identity");
  }
  return {};
}

std::string host_beside(std::string_view device, const std::string& host) {
  auto name = parse_device(host);
  const auto beside = parse_device(device);
  if (!name || !beside || (beside->job.empty() && beside->task.empty())) return host;
  if (!name->job.empty() || !name->replica.empty() || !name->task.empty()) return host;
  name->job = beside->job;
  name->replica = beside->replica;
  name->task = beside->task;
  return device_text(*name);
}

OpId add_placed_copy(const Graph& graph, const CopyPlace& place, SwapCopy copy, GraphPlan& plan) {
  if (place.mode == CopyMode::kGrappler) {
    copy.op_type = place.is_back ? kCopyFromHost : kCopyToHost;
    copy.device = graph.device(place.beside);
    copy.colocated_with = graph.name(place.beside);
  } else {
    copy.device = host_beside(graph.device(place.beside), copy.device);
  }
  return add_swap_copy(graph, copy, plan);
}

std::string grappler_name(const Graph& graph, bool is_back, TensorId tensor, OpId consumer) {
  const auto inputs = graph.inputs(consumer);
  const auto slot = std::find(inputs.begin(), inputs.end(), tensor) - inputs.begin();
  return fmt::format("{}_{}_{}", is_back ? "swap_in" : "swap_out", graph.name(consumer), slot);
}

void note_copy_mode(CopyMode mode, LmsPlan& plan) {
  if (mode != CopyMode::kGrappler || plan.swaps.empty()) return;
  plan.warnings.push_back(
      {"not tried",
       fmt::format(
           "{{copy-mode}} grappler: {} and {} have kernels for GPUs alone, none of XLA, and "
           "were never run on a GPU with plans of Tideline: compare the losses before you "
           "rely on them",
           kCopyToHost, kCopyFromHost),
       {},
       static_cast<std::int64_t>(plan.edit.added.size())});
}

}  // namespace tideline
