// The step graph of a graph to which copies and edges are added, without building that graph.
#pragma once

#include <vector>

#include "core/memory/step_graph.h"

namespace tideline {

/// A copy: one input, one output, an alias of it within one space. Its id follows those of the
/// graph.
struct StepCopy {
  TensorId input;
  Space space = Space::kHost;
};
struct StepReroute {
  OpId op;
  std::uint32_t slot = 0;
  TensorId to;
};
struct StepControl {
  OpId op;
  OpId after;
};
struct StepEdit {
  std::vector<StepCopy> copies;
  std::vector<StepReroute> reroutes;
  std::vector<StepControl> controls;
};

/// Equal to build_step_graph of the edited graph, but for the kinds of memory.
/// Precondition: the edit fits the graph. Cost: O(ops + edges), of plain copying.
[[nodiscard]] StepGraph edited(const StepGraph& graph, const StepEdit& edit);

}  // namespace tideline
