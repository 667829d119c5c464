// Large model support, version 1: the rewriter.
#pragma once

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms1/options.h"

namespace tideline {

/// Plans the swaps of a training graph whose backward ops are in the optimizer scopes. A graph that
/// already has swap ops gets an empty plan with `already_edited`; so does n_tensors 0, without it.
/// Deterministic: wherever the reference takes an arbitrary op, the first in file order is taken.
/// Errors: those of validate; kNotFound, with the reference's message, for scopes, types and ops
/// that match nothing; kCorrupt from sizes; kCancelled. Cost: starting_ops,
/// O((ops + edges) x log ops), and the trigger searches. Thread: pure.
[[nodiscard]] Result<LmsPlan> plan_lms1(const Graph& graph, const Collections& collections,
                                        const Lms1Options& options, Progress& progress);

}  // namespace tideline
