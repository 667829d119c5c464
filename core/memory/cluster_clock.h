// The clock of a step on a cluster: the ops of all devices, and what is sent between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/cluster_placement.h"
#include "core/memory/cost_model.h"
#include "core/memory/sent_tensors.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// A step on a cluster. Everything that it refers to must outlive the clock.
struct ClusterWork {
  const StepGraph* step = nullptr;  ///< as seen from any device: its edges and sizes are used
  std::span<const OpId> schedule;   ///< in topological order
  const ClusterPlacement* placement = nullptr;
  std::span<const SentTensor> sent;  ///< sent_tensors
  std::span<const double> op_ns;     ///< by op: its time on its own device
};

/// One direction of a link between tasks.
struct NetworkLink {
  static constexpr std::size_t kAll = ~std::size_t{0};

  std::size_t from = kAll, to = kAll;  ///< tasks; kAll at the other end of a link that is shared
  Bytes bytes = 0;
  double busy_ns = 0;
};

struct ClusterTime {
  double step_ns = 0;
  std::vector<double> busy_ns;     ///< by device: its ops, one after the other
  std::vector<double> begin_ns;    ///< by op; 0 for one that does not run
  std::vector<double> sent_ns;     ///< by sent tensor: its first hop is over
  std::vector<NetworkLink> links;  ///< those that are used; by from, then to
  double without_network_ns = 0;   ///< the same step if nothing between tasks took time
  double network_alone_ns = 0;     ///< the same step if nothing else took time
  double sending_alone_ns = 0;     ///< the same, without latency

  /// Whether the network alone would take longer than everything else alone.
  [[nodiscard]] bool is_network_the_limit() const { return network_alone_ns > without_network_ns; }
  /// The link that is busy longest; null if nothing is sent between tasks.
  [[nodiscard]] const NetworkLink* busiest_link() const;
};

/// Links between a task's host and its devices have the speeds of the profile of `costs`, which has
/// that of the network, too. Cost: four runs of O((ops + edges + sent) log ops). Thread: pure.
[[nodiscard]] ClusterTime cluster_time(const ClusterWork& work, const CostModel& costs);

}  // namespace tideline
