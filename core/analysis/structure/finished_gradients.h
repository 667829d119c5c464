// Where the backward pass ends and the update begins.
#pragma once

#include <vector>

#include "core/analysis/structure/pass_facts.h"
#include "core/analysis/structure/seed_reach.h"

namespace tideline {

/// By op: whether it works on gradients that are finished. Such ops depend on a seed, lead to no
/// gradient op, and are one of: not linear in the seed, an average over several seeds, the last
/// steps before the writes (plain copies, products with something that no forward op made, sums
/// over rows that occur twice), or behind one of these. `forward`: leads to an end of the
/// forward pass. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<bool> find_finished_gradients(const PassFacts& known,
                                                        const SeedReach& reach,
                                                        const std::vector<bool>& forward);

}  // namespace tideline
