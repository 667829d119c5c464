// The search of LMS v2's automatic mode on the faithful model.
#pragma once

#include "core/base/progress.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/rewrite/lms/search.h"
#include "core/rewrite/lms2/prepared.h"
#include "core/rewrite/lms2/tune.h"

namespace tideline::lms2 {

/// Of the parameters that are -1 in the options of `prepared`, searches those with which a step has
/// its peak within result.device_budget and is the fastest; then keeps tensors that fit
/// without being swapped, if the step becomes no slower. least_peak is of no use without
/// `wants_least_peak` if a step fits without swaps. `prepared` is left with what was found. Fills
/// what find_fastest fills, lower_bound_bytes and kept. Errors: those of FaithfulPlays; kCancelled.
/// Cost: plays_for(ops) plans, each simulated.
[[nodiscard]] Status tune_faithful(const Graph& graph, const Collections& collections,
                                   Prepared& prepared, const SearchModel& model,
                                   bool wants_least_peak, Progress& progress, TuneResult& result);

}  // namespace tideline::lms2
