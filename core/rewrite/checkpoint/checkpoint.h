// Savers through a checkpoint backend: replaces the ops by which tf.compat.v1.train.Saver saves and
// restores.
#pragma once

#include "core/base/error.h"
#include "core/graph/collections.h"
#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/rewrite/checkpoint/options.h"
#include "core/rewrite/checkpoint/report.h"

namespace tideline {

/// Plans a TmciSave for every SaveV2 and a TmciLoad for every RestoreV2 of the graph's savers. The
/// shards of a saver, whose files TensorFlow merges, become one TmciSave, and ops that served the
/// merge alone are removed. All that a SaverDef names keeps its name and meaning, so that
/// tf.train.Saver works on the result. `functions` may be null.
/// Errors: those of validate; kNotFound for a graph without savers; kUnsupported, naming op and
/// rule, for a saver of format V1, one inside of a function, and shards that are merged in
/// another way than TensorFlow's; kInvalidArgument for ops that are not formed as TensorFlow
/// requires or that a collection names; kCorrupt for attributes that cannot be decoded. Cost:
/// O(ops + edges + attribute bytes). Thread: pure.
[[nodiscard]] Result<CheckpointPlan> plan_checkpoint(const Graph& graph,
                                                     const Collections& collections,
                                                     const FunctionLibrary* functions,
                                                     const CheckpointOptions& options);

}  // namespace tideline
