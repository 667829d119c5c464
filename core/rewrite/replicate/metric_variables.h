// The variables that the metrics of an evaluation add up in.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/rewrite/replicate/regions.h"

namespace tideline::replicate {

/// The variables written by ops that lead to the metrics' update ops: members of the collection
/// "metric_variables" or, without it, all but moving averages. In file order.
/// Errors: kUnsupported when one is written by an op that does not add, so that the towers' values
/// cannot be combined, or has no initializer. Cost: O(ops + edges).
[[nodiscard]] Result<std::vector<MetricVariable>> find_metric_variables(const Context& context,
                                                                        const Marks& marks,
                                                                        const Targets& targets);

}  // namespace tideline::replicate
