// What `simulate --cluster` and `why --cluster` print.
#pragma once

#include <string>

#include "app/engine/cluster_step.h"

namespace tideline::cli {

struct ClusterReport {
  const app::SizedGraph& graph;
  const Cluster& cluster;
  const app::ClusterStep& step;
  const DeviceProfile& profile;
  std::string path;  ///< of the graph
};

void print_cluster_text(const ClusterReport& report);
void print_cluster_json(const ClusterReport& report);
/// Where `op` runs, and to which devices its outputs from `first_slot` to before `end_slot` go.
void print_on_cluster(const ClusterReport& report, OpId op, std::uint32_t first_slot,
                      std::uint32_t end_slot);

}  // namespace tideline::cli
