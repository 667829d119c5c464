// Source: TensorFlow, graph/graph_partition.cc (a _Send and a _Recv for each tensor and receiving
// device; facts). Tested by unit/memory/sent_tensors_test.cc and
// integration/cluster_traffic_test.py.
#include "core/memory/sent_tensors.h"

#include <algorithm>
#include <tuple>

namespace tideline {

std::vector<SentTensor> sent_tensors(const StepGraph& step, std::span<const OpId> schedule,
                                     const ClusterPlacement& placement) {
  std::vector<SentTensor> sent;
  for (const OpId op : schedule) {
    const StepOp& entry = step.ops[op.index()];
    if (entry.only_waits) continue;
    for (const StepInput& input : step.inputs_of(op)) {
      const OpId producer = step.producer_of[input.tensor];
      const std::uint32_t from = placement.device_of[producer.index()];
      const std::uint32_t to = placement.device_of[op.index()];
      if (from == to) continue;
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
