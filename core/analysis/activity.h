// The ops that are inactive in a given learning mode.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"

namespace tideline {

struct LearningMode {
  bool is_training = true;
  /// Keras graphs switch branches by `keras_learning_phase`.
  bool is_keras = false;
  bool of_body = false;  ///< as in WhileNames
};

/// By op: whether it is inactive. Inactive are: batch normalisations (FusedBatchNorm,
/// FusedBatchNormGrad) of the other mode; ops inside while loops except Enter and Exit; in Keras
/// graphs, consumers of the branch not taken of a Switch driven by the learning phase; and every op
/// (except Merge and Switch) with an inactive input whose other inputs are inactive or Const. For
/// an op with `Variable` in its name one inactive input suffices. Source: IBM TFLMS v2, lms.py,
/// _search_for_inactive_ops (rules only). Cost: O(ops + edges). Errors: kCorrupt for an
/// is_training attribute that cannot be decoded. Thread: pure.
[[nodiscard]] Result<std::vector<bool>> inactive_ops(const Graph& graph, const Consumers& consumers,
                                                     const LearningMode& mode);

}  // namespace tideline
