// The play of LMS v2 once more, slow and obvious: everything is asked anew at every step. Only for
// comparison with the product.
#pragma once

#include <set>

#include "core/rewrite/lms/search.h"
#include "core/rewrite/lms2/candidates.h"
#include "core/rewrite/lms2/context.h"
#include "core/rewrite/lms2/swap_parameters.h"

namespace tideline::test {

[[nodiscard]] SearchPrediction slow_play(const lms2::Context& context,
                                         const lms2::Candidates& candidates,
                                         const std::set<OpId>& trainable,
                                         const SwapParameters& set);

}  // namespace tideline::test
