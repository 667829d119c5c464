// What leads to an end of the forward pass.
#pragma once

#include <vector>

#include "core/analysis/structure/pass_facts.h"
#include "core/analysis/structure/seed_reach.h"

namespace tideline {

/// By op: whether it leads, without a seed, to the loss, to metrics, or to moving averages and
/// counters of what was fed. In a graph that was cut to its update: to what gradient ops kept.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<bool> find_forward_pass(const PassFacts& known, const SeedReach& reach);

}  // namespace tideline
