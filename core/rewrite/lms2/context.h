// The graph and the analyses of it that the parts of LMS v2 share.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/conditions.h"
#include "core/analysis/levels.h"
#include "core/analysis/loop_lists.h"
#include "core/analysis/placement.h"
#include "core/analysis/while_names.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/rewrite/lms2/options.h"

namespace tideline::lms2 {

/// What a plan is made for.
enum class PlanUse : std::uint8_t {
  kReport,  ///< to be applied and reported
  kPeak,    ///< to be simulated only: copies have no names, and nothing has a reason
};

/// References are valid during one rewrite.
struct Context {
  const Graph& graph;
  const Consumers& consumers;
  const LevelMap& levels;  ///< the compatible map
  const TensorTable& tensors;
  const Placement& placement;
  const std::vector<bool>& inactive;
  const Conditions& conditions;  ///< of the original graph, before any edit
  const Lms2Options& options;
  WhileNames while_names = WhileNames(graph);
  /// Those that loops keep for their gradients; null: nobody asks.
  const LoopLists* lists = nullptr;

  [[nodiscard]] const LoopList* list(TensorId tensor) const {
    return lists == nullptr ? nullptr : lists->of(tensor);
  }
  /// As the reference counts them, but lists with what they hold.
  [[nodiscard]] Bytes bytes(TensorId tensor) const {
    const LoopList* found = list(tensor);
    return found == nullptr ? tensors.bytes(tensor) : found->bytes;
  }
  [[nodiscard]] bool is_inactive(OpId op) const { return inactive[op.index()]; }
  /// An op that runs on the device of interest in this learning mode.
  [[nodiscard]] bool is_active_device_op(OpId op) const {
    return placement.on_device(op) && !is_inactive(op);
  }
  /// Whether its device and activity allow it to be a source of swaps or a swapped consumer.
  [[nodiscard]] bool is_eligible(OpId op) const {
    return is_active_device_op(op) && !placement.on_cpu(op);
  }
};

}  // namespace tideline::lms2
