// A plan of LMS of either version while it is made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph_plan.h"
#include "core/graph/shape.h"
#include "core/rewrite/lms/planned_swap.h"
#include "core/rewrite/rewrite_plan.h"

namespace tideline {

/// An op that copies a tensor to the host or back.
struct SwapCopy {
  std::string name;
  std::string_view op_type = "Identity";
  std::string device;
  std::string colocated_with = {};  ///< name of an op; empty: of none
  TensorId input;
  DataType type = DataType::kInvalid;  ///< base type
  std::optional<Shape> shape;  ///< for `_output_shapes`; absent when the source records none
};
/// Its id in the plan.
OpId add_swap_copy(const Graph& graph, const SwapCopy& copy, GraphPlan& plan);

/// How LMS v1 ordered the ops of a step.
struct StepOrder {
  std::vector<OpId> starting;          ///< where the search for tensors began, in file order
  std::vector<std::int32_t> order_of;  ///< by op of the original; -1: none
  std::int32_t count = 0;              ///< of orders
  std::int32_t backward_start = -1;    ///< first order with a backward op; -1: there is none
};

/// What a swapped list of a loop holds (analysis/loop_lists.h).
struct SwappedList {
  TensorId tensor;
  std::optional<Bytes> element_bytes;    ///< nullopt: of unknown shape
  std::optional<std::int64_t> elements;  ///< nullopt: unknown rounds
};

struct LmsFindings {
  int version = 2;
  bool already_edited = false;
  bool necessary = true;  ///< false: a step fits without swaps, so there are none
  std::vector<PlannedSwap> swaps;
  std::vector<SwappedList> lists;       ///< of the swaps: those of lists, in the same order
  std::optional<StepOrder> order;       ///< of version 1
  std::vector<KeptTensor> not_swapped;  ///< only when asked for
  std::vector<std::string> log;         ///< the lines that the reference logs, in its order
};

/// The edit, which has copies, rerouted inputs and control edges, and what there is to say.
struct LmsPlan : LmsFindings {
  GraphPlan edit;
  std::vector<ControlEdge> risky;  ///< of the control edges: those from ops that may not run
  std::vector<Warning> warnings;   ///< besides those about `risky`

  [[nodiscard]] std::int64_t swap_out_count() const {
    return static_cast<std::int64_t>(swaps.size());
  }
};

/// "Added 13 operations to the model (6 swap-out operations (x GiB) and 7 swap-in operations ...".
[[nodiscard]] std::string added_operations(const LmsPlan& plan);

/// The finished plan, with a warning about `risky`.
[[nodiscard]] RewritePlan finished(const Graph& graph, LmsPlan plan);

}  // namespace tideline
