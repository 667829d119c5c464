// Where the backward pass ends and the update begins.
#pragma once

#include <vector>

#include "core/analysis/structure/pass_facts.h"
#include "core/analysis/structure/seed_reach.h"

namespace tideline {

/// By op: whether it processes finished gradients, which makes it part of the update. Such ops
/// depend on a seed, lead to no gradient op, and are one of: not linear in the seed; an average
/// over several seeds; one of the last ops before a write (copies, products with a factor that no
/// forward op computed, sums over duplicate rows); or downstream of one of these.
/// `forward`: by op, whether it leads to an end of the forward pass. Cost: O(ops + edges).
/// Thread: pure.
[[nodiscard]] std::vector<bool> find_finished_gradients(const PassFacts& known,
                                                        const SeedReach& reach,
                                                        const std::vector<bool>& forward);

}  // namespace tideline
