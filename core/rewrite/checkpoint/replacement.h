// Makes the plan that puts TmciSave and TmciLoad in place of the ops of savers.
#pragma once

#include "core/base/error.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/rewrite/checkpoint/options.h"
#include "core/rewrite/checkpoint/report.h"
#include "core/rewrite/checkpoint/savers.h"

namespace tideline::checkpoint_ops {

/// The plan and its report. Errors: kInvalidArgument for ops that a collection names and for inputs
/// that do not fit their types; kCorrupt for attributes that cannot be decoded. Cost: O(ops + edges
/// + attribute bytes).
[[nodiscard]] Result<CheckpointPlan> replace_savers(const Graph& graph,
                                                    const Collections& collections,
                                                    const FoundSavers& found,
                                                    const CheckpointOptions& options);

}  // namespace tideline::checkpoint_ops
