// The device of a cluster on which TensorFlow's placer puts each op of a graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/error.h"
#include "core/graph/cluster.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// A device of a cluster.
struct ClusterDevice {
  std::size_t task = 0;  ///< an index of Cluster::tasks
  std::string type, index;
  std::string name;  ///< "/job:ps/task:0/device:CPU:0"

  [[nodiscard]] bool is_cpu() const { return type == "CPU"; }
};

/// Thread: immutable once built.
struct ClusterPlacement {
  /// Those of the cluster, and those that the graph names on its tasks: by task, then name. A task
  /// whose devices are not known has a CPU.
  std::vector<ClusterDevice> devices;
  std::vector<std::uint32_t> device_of;  ///< by op: an index of `devices`

  [[nodiscard]] const ClusterDevice& of(OpId op) const { return devices[device_of[op.index()]]; }
};

/// Placeholders are on the CPU of `client`, the task on whose server the session is: that is where
/// what is fed comes from. Errors: those of check_device, for devices that the graph names;
/// kCorrupt for attributes that cannot be decoded. Precondition: the cluster has tasks. Cost: O(ops
/// + edges), and ops x devices without a device.
[[nodiscard]] Result<ClusterPlacement> place_on_cluster(const GraphFacts& facts,
                                                        const TensorTable& tensors,
                                                        const Cluster& cluster,
                                                        const ClusterTask& client);

}  // namespace tideline
