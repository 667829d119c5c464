// A step on a cluster: the memory of every device, and what is sent between them.
#pragma once

#include <string>
#include <vector>

#include "app/engine/sized_graph.h"
#include "core/analysis/cluster_placement.h"
#include "core/graph/cluster.h"
#include "core/memory/cluster_clock.h"
#include "core/memory/device_profile.h"
#include "core/memory/faithful.h"
#include "core/memory/sent_tensors.h"

namespace tideline::app {

/// A device on which ops of the step run, or variables lie.
struct ClusterDeviceStep {
  std::uint32_t device = 0;  ///< an index of ClusterPlacement::devices
  std::int64_t ops = 0;      ///< of the step
  MemoryTimeline timeline;   ///< as seen from the device
  /// The peak without copies of what other devices have made and what is fed: TensorFlow records no
  /// allocation for what it receives.
  Bytes peak_of_own = 0;
  /// Of a traced step: the most that its records say was allocated at once, and what is resident.
  std::optional<Bytes> measured_peak_of_own = {};
  bool is_traced = false;  ///< whether it is a device of the traced step, if there is one
};

/// Where the times of ops come from (CostSource); ops without a kernel are left out.
struct CostCounts {
  std::int64_t measured = 0, assumed = 0, guessed = 0;
};

struct ClusterStep {
  ClusterPlacement placement;
  StepGraph graph;  ///< as seen from the first of `devices`; sizes and names are the same from all
  std::vector<ClusterDeviceStep> devices;  ///< by task, then name
  std::vector<SentTensor> sent;            ///< sent_tensors
  std::vector<bool> is_guessed;            ///< by sent tensor: no shape says its bytes
  ClusterTime time;
  CostCounts costs;
};

/// Simulates a step of `graph` on `cluster`, whose session is on `client`: once for each device,
/// from which other tasks are elsewhere, and the CPU of its own task is the host of a GPU. All
/// devices and the network have the speeds of `profile`; a traced step of the graph gives sizes,
/// times and measured peaks. Errors: those of place_on_cluster, TensorTable::build and
/// build_step_graph. Cost: a step graph and a simulation for each device.
[[nodiscard]] Result<ClusterStep> simulate_on_cluster(const SizedGraph& graph,
                                                      const Cluster& cluster,
                                                      const ClusterTask& client,
                                                      const DeviceProfile& profile,
                                                      const std::vector<std::string>& fetches);

/// What a sent tensor is: "variable", "gradient", "batch" or "other".
[[nodiscard]] const char* sent_kind(const SizedGraph& graph, const StepGraph& step,
                                    const SentTensor& sent);

}  // namespace tideline::app
