// Synchronization of LMS v2: control edges between copies and the computation.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rewrite/lms/draft.h"
#include "core/rewrite/lms/guard.h"
#include "core/rewrite/lms/lms_plan.h"
#include "core/rewrite/lms2/context.h"

namespace tideline::lms2 {

/// If `copy`, any op on the host, has exactly one active device reader x, makes it wait for the
/// other active device inputs of x, data and control; if x has none, for the active device ops one
/// level below x. Ops that the copy leads to are excluded and, with a guard, ops that may be
/// skipped. Edges are added to `draft` and `edges`. Returns the number of edges that were omitted
/// because they would lead into or out of a loop. Cost: O(edges of x), plus a search of the draft
/// for each.
std::int64_t sync_swap_in(const Context& context, const Guard* guard, Draft& draft, OpId copy,
                          std::vector<ControlEdge>& edges);

/// If `copy` has exactly one active device input p, makes every active device op that p feeds, by
/// data or control, wait for the copy, except ops that lead to the copy. Returns as sync_swap_in.
std::int64_t sync_swap_out(const Context& context, const Guard* guard, Draft& draft, OpId copy,
                           std::vector<ControlEdge>& edges);

}  // namespace tideline::lms2
