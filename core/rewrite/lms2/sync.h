// Making copies wait for the computation, and the computation for copies.
#pragma once

#include <vector>

#include "core/rewrite/draft.h"
#include "core/rewrite/guard.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms_plan.h"

namespace tideline::lms2 {

/// `copy` (any op on the host) with exactly one active device reader x waits for the other active
/// device inputs of x, data and control alike; when x has none, for the active device ops one level
/// below x. Never for an op that the copy leads to, and with a guard never for one that may not
/// run. Added edges go to `draft` and `edges`.
void sync_swap_in(const Context& context, const Guard* guard, Draft& draft, OpId copy,
                  std::vector<ControlEdge>& edges);

/// Every active device op that p feeds, by data or control, waits for `copy`, whose only active
/// device input is p. Not those that lead to the copy.
void sync_swap_out(const Context& context, const Guard* guard, Draft& draft, OpId copy,
                   std::vector<ControlEdge>& edges);

}  // namespace tideline::lms2
