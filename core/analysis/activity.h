// Which ops take no part in a step of the given learning mode.
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
};

/// By op: whether it is inactive. Inactive are batch normalisations (FusedBatchNorm,
/// FusedBatchNormGrad) of the other mode, ops inside while loops but for Enter and Exit, in Keras
/// graphs the readers of the wrong branch of Switch ops that the learning phase drives, and then
/// every op (not Merge, not Switch) with an inactive input whose other inputs are inactive or
/// Const; an op with `Variable` in its name needs only the one. Source: IBM TFLMS v2, lms.py,
/// _search_for_inactive_ops (rules only). Cost: O(ops + edges). Errors: kCorrupt for an undecodable
/// is_training.
[[nodiscard]] Result<std::vector<bool>> inactive_ops(const Graph& graph, const Consumers& consumers,
                                                     const LearningMode& mode);

}  // namespace tideline
