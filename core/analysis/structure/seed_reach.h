// What depends on the seeds of a graph's gradients.
#pragma once

#include <vector>

#include "core/analysis/structure/pass_facts.h"

namespace tideline {

/// By op. No op is both.
struct SeedReach {
  std::vector<bool> after_seed;  ///< depends on a seed and does not write a variable
  /// Writes a variable with a value derived from gradients, itself or in a function that it calls.
  std::vector<bool> is_update;
};

/// Over data edges, stacks, and variables that are read after they were written. Without a seed,
/// gradient ops of optimizers' graphs begin the backward pass. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] SeedReach find_seed_reach(const PassFacts& known);

}  // namespace tideline
