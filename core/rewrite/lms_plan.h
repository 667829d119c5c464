// What an LMS rewriter decided, as data: complete enough to be applied, printed and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/graph/graph.h"
#include "core/graph/shape.h"

namespace tideline {

/// An Identity op that copies a tensor to the host or back. Its id in the rewritten graph is
/// op_count() of the original + its position in LmsPlan::added.
struct PlannedCopy {
  std::string name;
  std::string device;
  TensorId input;
  DataType type = DataType::kInvalid;  ///< base type
  std::optional<Shape> shape;       ///< for `_output_shapes`; absent when the source records none
  bool keep_from_grappler = false;  ///< v2 marks its copies, v1 does not
};

struct Reroute {
  OpId op;
  std::uint32_t slot = 0;
  TensorId from;
  TensorId to;
};

struct ControlEdge {
  OpId op;     ///< waits
  OpId after;  ///< for this one
};

struct PlannedSwapIn {
  OpId copy;
  std::vector<OpId> consumers;  ///< by level, then file order
  OpId trigger;                 ///< control op; invalid when there is none
  std::int32_t trigger_level = -1;
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
};

struct KeptTensor {
  TensorId tensor;
  Bytes bytes = 0;
  std::string why;
};

/// Ids of original ops are theirs; ids of added ops follow (see PlannedCopy).
struct LmsPlan {
  int version = 2;
  bool already_edited = false;
  bool necessary = true;  ///< false: a step fits without swaps, so there are none
  std::vector<PlannedCopy> added;
  std::vector<Reroute> rerouted;
  std::vector<ControlEdge> control;  ///< in the order in which they were decided
  std::vector<PlannedSwap> swaps;
  std::optional<PlanPrediction> predicted;
  std::vector<KeptTensor> not_swapped;  ///< only when asked for
  std::vector<ControlEdge> risky;       ///< of `control`: edges from ops that may not run
  std::vector<std::string> notices;     ///< why less may have happened than the user expects
  std::vector<std::string> log;         ///< the lines that the reference logs, in its order

  [[nodiscard]] std::int64_t swap_out_count() const {
    return static_cast<std::int64_t>(swaps.size());
  }
  [[nodiscard]] std::int64_t swap_in_count() const {
    return static_cast<std::int64_t>(added.size() - swaps.size());
  }
};

/// The rewritten graph. Verified: acyclic but for loops. Errors: kInternal when the plan breaks
/// that.
[[nodiscard]] Result<Graph> apply(const Graph& graph, const LmsPlan& plan);

/// Name of an op of the graph or of the plan.
[[nodiscard]] std::string op_name(const Graph& graph, const LmsPlan& plan, OpId op);
[[nodiscard]] std::string tensor_name(const Graph& graph, const LmsPlan& plan, TensorId tensor);

}  // namespace tideline
