// The graph and the analyses of it that the parts of LMS v1 share.
#pragma once

#include <vector>

#include "core/analysis/conditions.h"
#include "core/analysis/loop_frames.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"
#include "core/graph/walks.h"
#include "core/rewrite/lms/overrides.h"
#include "core/rewrite/lms1/filters.h"
#include "core/rewrite/lms1/options.h"
#include "core/rewrite/lms1/order.h"

namespace tideline::lms1 {

/// References are valid during one rewrite.
struct Context {
  const Graph& graph;
  const Consumers& consumers;
  const TensorTable& tensors;
  const Conditions& conditions;
  const LoopTypes& loops;
  const LoopFrames& frames;
  const std::vector<bool>& backward;  ///< by op
  const Order& order;
  const std::vector<Verdict>& verdicts;
  const Overrides& overrides;
  const Lms1Options& options;

  [[nodiscard]] bool is_backward(OpId op) const { return backward[op.index()]; }
  [[nodiscard]] bool is_source(OpId op) const { return verdicts[op.index()] == Verdict::kSource; }
  [[nodiscard]] bool is_reachable(OpId op) const {
    return verdicts[op.index()] != Verdict::kNotReachable;
  }
};

}  // namespace tideline::lms1
