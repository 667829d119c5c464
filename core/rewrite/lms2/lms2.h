// Large model support, version 2: the rewriter.
#pragma once

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms2/options.h"

namespace tideline {

/// Plans the swaps of a training graph. A graph that already has swap ops gets an empty plan with
/// `already_edited`. Deterministic: wherever the reference takes an arbitrary op, the first in file
/// order is taken.
/// Errors: those of validate; kNotFound for scopes and types that match nothing; kCorrupt from
/// sizes; kCancelled. Cost: O((ops + edges) log fan-out) plus the trigger searches. Thread: pure.
[[nodiscard]] Result<LmsPlan> plan_lms2(const Graph& graph, const Collections& collections,
                                        const Lms2Options& options, Progress& progress);

}  // namespace tideline
