#include "core/analysis/placement.h"

#include "core/base/text.h"

namespace tideline {

bool Placement::names_cpu(std::string_view device) {
  return contains_ignoring_case(device, "cpu");
}

Placement::Placement(const Graph& graph, const std::optional<std::string>& gpu_device)
    : graph_(&graph) {
  for (const std::string_view device : graph.devices()) {
    on_cpu_.push_back(names_cpu(device));
    on_device_.push_back(gpu_device ? equal_ignoring_case(device, *gpu_device)
                                    : !names_cpu(device));
  }
}

}  // namespace tideline
