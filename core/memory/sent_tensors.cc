// Source: TensorFlow, graph/graph_partition.cc (a _Send and a _Recv for each tensor and receiving
// device) and common_runtime/replicate_constants_pass.cc (facts). Tested by
// unit/engine/cluster_step_test.cc and integration/cluster_traffic_test.py.
#include "core/memory/sent_tensors.h"

#include <algorithm>
#include <tuple>

#include "core/graph/dtype.h"

namespace tideline {
namespace {

// Small constants that several ops read, and for which nothing waits, are copied to where they are
// read before the graph is divided (TensorFlow 2.12 and later).
std::vector<bool> copied_constants(const StepGraph& step, std::span<const OpId> schedule,
                                   const ClusterPlacement& placement) {
  std::vector<std::int32_t> readers(step.ops.size());
  std::vector<bool> is_waited_for(step.ops.size());
  for (const OpId op : schedule) {
    if (!step.ops[op.index()].only_waits) {
      for (const StepInput& input : step.inputs_of(op)) {
        ++readers[step.producer_of[input.tensor].index()];
      }
    }
    for (const OpId input : step.controls_of(op)) is_waited_for[input.index()] = true;
  }
  std::vector<bool> copied(step.ops.size());
  for (const OpId op : schedule) {
    const StepOp& entry = step.ops[op.index()];
    if (entry.tensor_count != 1 || readers[op.index()] < 2 || is_waited_for[op.index()]) continue;
    const StepTensor& tensor = step.tensors[entry.first_tensor];
    constexpr Bytes kMostElements = 16;
    const Bytes element = element_bytes(tensor.type).value_or(0);
    copied[op.index()] = tensor.kind == MemoryKind::kConstant && placement.of(op).is_cpu() &&
                         element > 0 && tensor.content <= kMostElements * element;
  }
  return copied;
}

}  // namespace

std::vector<SentTensor> sent_tensors(const StepGraph& step, std::span<const OpId> schedule,
                                     const ClusterPlacement& placement) {
  std::vector<SentTensor> sent;
  const std::vector<bool> is_copied = copied_constants(step, schedule, placement);
  for (const OpId op : schedule) {
    const StepOp& entry = step.ops[op.index()];
    if (entry.only_waits) continue;
    for (const StepInput& input : step.inputs_of(op)) {
      const OpId producer = step.producer_of[input.tensor];
      const std::uint32_t from = placement.device_of[producer.index()];
      const std::uint32_t to = placement.device_of[op.index()];
      if (from == to || is_copied[producer.index()]) continue;
      const std::uint32_t slot = input.tensor - step.ops[producer.index()].first_tensor;
      sent.push_back({{producer, slot}, from, to, step.tensors[input.tensor].content});
    }
  }
  const auto key = [](const SentTensor& one) {
    return std::tuple(one.from, one.to, one.tensor.op.value, one.tensor.slot);
  };
  std::sort(sent.begin(), sent.end(),
            [&](const SentTensor& one, const SentTensor& other) { return key(one) < key(other); });
  const auto same = [&](const SentTensor& one, const SentTensor& other) {
    return key(one) == key(other);
  };
  sent.erase(std::unique(sent.begin(), sent.end(), same), sent.end());
  return sent;
}

}  // namespace tideline
