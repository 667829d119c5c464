// What `simulate --cluster` prints.
#pragma once

#include <string>

#include "app/engine/cluster_step.h"

namespace tideline::cli {

struct ClusterReport {
  const app::SizedGraph& graph;
  const app::ClusterStep& step;
  std::string path;  ///< of the graph
};

void print_cluster_text(const ClusterReport& report);
void print_cluster_json(const ClusterReport& report);

}  // namespace tideline::cli
