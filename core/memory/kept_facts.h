// Which plans leave what is known of the tensors of a graph as it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/graph/graph_plan.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Which tensor of the graph has the value of a tensor, over added Identity ops and copies. That of
/// a copy is only as good as keeps_facts is true. Precondition: graph and plan outlive it.
class Origins {
 public:
  Origins(const Graph& graph, const GraphPlan& plan) : graph_(graph), plan_(plan) {}

  /// Nothing for a tensor that nothing of the graph stands for. Cost: the Identity ops on the way.
  [[nodiscard]] std::optional<TensorId> of(TensorId tensor) const;

 private:
  const Graph& graph_;
  const GraphPlan& plan_;
};

/// Whether all that is known of the tensors of `graph` (types, shapes, constant values) holds after
/// the plan, and is known of the tensors of added ops as well: added ops are Identity ops, copies
/// whose inputs carry what their originals read, and NoOps; rerouted inputs read the same values as
/// before; attributes and devices change only where no size or place of a tensor depends on it, or
/// the op leaves the device of interest. Never claimed wrongly. Cost: O(changes).
/// Precondition: the plan fits the graph (PlanChanges::check).
[[nodiscard]] bool keeps_facts(const StepGraph& step, const Graph& graph, const GraphPlan& plan,
                               const std::optional<std::string>& gpu_device);

/// Where an op of that device string runs, as seen from `gpu_device`; without one all devices that
/// are no CPU are the device of interest.
[[nodiscard]] Space space_on(std::string_view device, const std::optional<std::string>& gpu_device);

}  // namespace tideline
