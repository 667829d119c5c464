// Builds the input of the play (PlayGraph) from a graph and the filters of LMS v2.
#pragma once

#include <vector>

#include "core/rewrite/lms2/candidates.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms2/play_graph.h"

namespace tideline::lms2 {

/// Contains everything that does not depend on threshold, ahead, group-by and sync mode.
/// `trainable`: variable ops, which the play leaves out. Errors: kUnsupported for sizes so large
/// that sums could overflow. Cost: O((ops + edges) x log fan-out). Thread: pure.
[[nodiscard]] Result<PlayGraph> build_play_graph(const Context& context,
                                                 const Candidates& candidates,
                                                 const std::vector<OpId>& trainable);

/// Whether the device, activity and name of `op` allow it to trigger a swap-in.
[[nodiscard]] bool may_trigger(const Context& context, OpId op);

}  // namespace tideline::lms2
