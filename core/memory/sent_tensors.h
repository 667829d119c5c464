// What a step sends from one device of a cluster to another.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/cluster_placement.h"
#include "core/base/units.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// A tensor that one device sends to another, once a step.
struct SentTensor {
  TensorId tensor;
  std::uint32_t from = 0, to = 0;  ///< indices of ClusterPlacement::devices
  Bytes bytes = 0;                 ///< of its elements
};

/// Those of the ops in `schedule`, sorted by sender, receiver, tensor. TensorFlow sends a tensor
/// once to each device, however many ops there read it; what only waits is sent a message without
/// content, which is left out, as are small constants, of which each device has one. Cost: O(edges
/// log edges). Thread: pure.
[[nodiscard]] std::vector<SentTensor> sent_tensors(const StepGraph& step,
                                                   std::span<const OpId> schedule,
                                                   const ClusterPlacement& placement);

}  // namespace tideline
