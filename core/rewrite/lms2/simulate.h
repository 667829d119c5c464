// A step with and without the swaps of LMS v2, on the compatible model.
#pragma once

#include <optional>

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/memory/timeline.h"
#include "core/rewrite/lms2/options.h"

namespace tideline {

/// The two simulated steps.
struct CompatibleSimulation {
  MemoryTimeline before;                ///< without swaps
  std::optional<MemoryTimeline> after;  ///< with those that the options ask for
};

/// Plays the step. Precondition of `with_swaps`: the parameters in `options` are set and valid.
/// Errors: those of plan_lms2 except kCancelled. Cost: the preparation of plan_lms2 and two plays.
/// Thread: pure.
[[nodiscard]] Result<CompatibleSimulation> simulate_lms2(const Graph& graph,
                                                         const Collections& collections,
                                                         const Lms2Options& options,
                                                         bool with_swaps);

}  // namespace tideline
