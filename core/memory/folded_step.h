// A step graph without the ops that TensorFlow's graph optimizer takes out of it.
#pragma once

#include "core/analysis/as_run/folding.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Makes `step` the one that TensorFlow runs. Its first ops have the ids of the folded graph; more
/// may follow, added by a plan. Of each conditional one branch stays. Readers of folded tensors
/// read what these stand for, as far as that still holds: two ops are merged only if they read the
/// same in `step`. Fetched ops stay as they are. Where the folding is done, only branches go. Ops
/// keep their ids; those that nobody needs any more are present but do not run. Cost: O(ops +
/// edges). Thread: pure.
void fold(std::shared_ptr<const Folding> folding, StepGraph& step);
/// `unfolded` as TensorFlow runs it, for plans to edit.
[[nodiscard]] StepGraph folded(std::shared_ptr<const StepGraph> unfolded,
                               std::shared_ptr<const Folding> folding);

/// `step`, made by build_step_graph from `graph`, as it would be for `fetches`. Errors: kNotFound
/// for a fetch that names no op. Cost: O(ops + edges), of copying and folding.
[[nodiscard]] Result<StepGraph> with_fetches(const StepGraph& step, const Graph& graph,
                                             const Collections& collections,
                                             const std::vector<std::string>& fetches);

}  // namespace tideline
