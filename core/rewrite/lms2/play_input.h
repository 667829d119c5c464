// Flattens a graph, as LMS v2 sees it, for the play.
#pragma once

#include <vector>

#include "core/rewrite/lms2/candidates.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms2/play_graph.h"

namespace tideline::lms2 {

/// All that the play needs and that threshold, ahead, group-by and sync mode do not change.
/// `trainable`: variable ops whose memory is not played. Errors: kUnsupported when the sizes are
/// so large that sums could overflow. Cost: O((ops + edges) log fan-out).
[[nodiscard]] Result<PlayGraph> build_play_graph(const Context& context,
                                                 const Candidates& candidates,
                                                 const std::vector<OpId>& trainable);

/// Whether `op` may trigger a swap-in as far as its place and name go.
[[nodiscard]] bool may_trigger(const Context& context, OpId op);

}  // namespace tideline::lms2
