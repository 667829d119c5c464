// What a rewriter decided, as data: the edit, and the report about it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/graph/graph.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_plan.h"
#include "core/graph/shape.h"
#include "core/memory/step_time.h"
#include "core/rewrite/plan_report.h"
#include "core/rewrite/swap_effect.h"

namespace tideline {

/// An Identity op that copies a tensor to the host or back.
struct SwapCopy {
  std::string name;
  std::string device;
  TensorId input;
  DataType type = DataType::kInvalid;  ///< base type
  std::optional<Shape> shape;       ///< for `_output_shapes`; absent when the source records none
  bool keep_from_grappler = false;  ///< v2 marks its copies, v1 does not
};
/// Its id in the plan.
OpId add_swap_copy(const Graph& graph, const SwapCopy& copy, GraphPlan& plan);

struct PlannedSwapIn {
  OpId copy;
  std::vector<OpId> consumers;      ///< by level, then file order
  OpId trigger;                     ///< control op; invalid when there is none
  std::int32_t trigger_level = -1;  ///< version 1: its order
};

struct PlannedSwap {
  TensorId tensor;
  Bytes bytes = 0;
  OpId swap_out;
  std::vector<PlannedSwapIn> swap_ins;
  std::string why;
};

/// What a model says of the rewritten graph.
struct PlanPrediction {
  std::string model;
  Bytes device_peak_bytes = 0;
  Bytes host_peak_bytes = 0;
  Bytes device_peak_before = 0;    ///< of the graph without the plan
  std::optional<TimeReport> time;  ///< where the times of ops are known or assumed
};
/// "device memory of a step: 720.00 MiB before, 400.00 MiB after (-44 %); step 58 ms -> 63 ms
/// (1.09 x)".
[[nodiscard]] std::string prediction_text(const PlanPrediction& prediction);
/// "the swaps raise the peak of device memory from 99.69 MiB to 123.43 MiB"; empty if they do not.
[[nodiscard]] std::string raised_peak_text(Bytes before, Bytes after);

struct KeptTensor {
  TensorId tensor;
  Bytes bytes = 0;
  std::string why;
};

/// How LMS v1 ordered the ops of a step.
struct StepOrder {
  std::vector<OpId> starting;          ///< where the search for tensors began, in file order
  std::vector<std::int32_t> order_of;  ///< by op of the original; -1: none
  std::int32_t count = 0;              ///< of orders
  std::int32_t backward_start = -1;    ///< first order with a backward op; -1: there is none
};

/// The edit, and what there is to say about it. Ids are those of the edit.
struct RewritePlan {
  GraphPlan edit;  ///< of LMS: Identity ops, rerouted inputs and control edges
  /// Of rewriters other than LMS, whose plans have no swaps; null for LMS.
  std::shared_ptr<const PlanReport> report;

  int version = 2;
  bool already_edited = false;
  bool necessary = true;  ///< false: a step fits without swaps, so there are none
  std::vector<PlannedSwap> swaps;
  std::optional<StepOrder> order;  ///< of version 1
  std::optional<PlanPrediction> predicted;
  std::vector<SwapEffect> effects;      ///< by swap; empty unless predicted
  std::vector<KeptTensor> not_swapped;  ///< only when asked for
  std::vector<ControlEdge> risky;       ///< of the control edges: those from ops that may not run
  std::vector<std::string> notices;     ///< why less may have happened than the user expects
  std::vector<std::string> log;         ///< the lines that the reference logs, in its order

  [[nodiscard]] std::int64_t swap_out_count() const {
    return static_cast<std::int64_t>(swaps.size());
  }
  [[nodiscard]] std::int64_t swap_in_count() const {
    return report ? 0 : static_cast<std::int64_t>(edit.added.size() - swaps.size());
  }
};

/// The graph that the edit gives (graph_edit.h).
[[nodiscard]] inline Result<Graph> apply(const Graph& graph, const RewritePlan& plan) {
  return apply(graph, plan.edit);
}

/// "Added 13 operations to the model (6 swap-out operations (x GiB) and 7 swap-in operations ...".
[[nodiscard]] std::string added_operations(const RewritePlan& plan);

/// Name of an op of the graph or of the plan.
[[nodiscard]] inline std::string op_name(const Graph& graph, const RewritePlan& plan, OpId op) {
  return std::string(plan.edit.name(graph, op));
}
[[nodiscard]] inline std::string tensor_name(const Graph& graph, const RewritePlan& plan,
                                             TensorId tensor) {
  return plan.edit.tensor_name(graph, tensor);
}

}  // namespace tideline
