// Detects plans that leave types, shapes and constant values of all tensors unchanged.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/graph/graph_plan.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Traces a tensor through added Identity ops and copies to the tensor of the graph that has the
/// same value. For copies this holds only if keeps_facts is true. Precondition: graph and plan
/// outlive it.
class Origins {
 public:
  Origins(const Graph& graph, const GraphPlan& plan) : graph_(graph), plan_(plan) {}

  /// nullopt if no tensor of the graph has the value. Cost: O(Identity ops on the way).
  [[nodiscard]] std::optional<TensorId> of(TensorId tensor) const;

 private:
  const Graph& graph_;
  const GraphPlan& plan_;
};

/// True only if types, shapes and constant values of all tensors of `graph` are the same after the
/// plan, and the facts of added ops follow from them: added ops are Identity ops, NoOps, or copies
/// whose inputs carry what their originals read; rerouted inputs read the same values as before;
/// attributes and devices change only if no size or place of a tensor depends on them, or if the op
/// leaves the device of interest; and, if `step` is one as TensorFlow runs it, no op waits for one
/// that a conditional may skip. May return false for other plans that keep all facts.
/// Cost: O(changes), and the size of the conditionals.
/// Precondition: the plan fits the graph (PlanChanges::check).
[[nodiscard]] bool keeps_facts(const StepGraph& step, const Graph& graph, const GraphPlan& plan,
                               const std::optional<std::string>& gpu_device);

/// Where an op with the device string `device` runs, relative to `gpu_device`. If that is nullopt,
/// every device that is not a CPU is the device of interest.
[[nodiscard]] Space space_on(std::string_view device, const std::optional<std::string>& gpu_device);

}  // namespace tideline
