// Sets the seeds of random ops, so that two runs draw the same numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline::runtime {

/// The names of the ops with an attribute `seed2` in an encoded GraphDef, sorted bytewise, without
/// those inside functions. Precondition: the bytes passed the wire check. Cost: O(bytes).
[[nodiscard]] std::vector<std::string> random_ops(std::string_view graph_def);

/// Number of these ops without a seed in the file, which draw other numbers in each run.
[[nodiscard]] std::int64_t count_unseeded(std::string_view graph_def);

/// The GraphDef with attribute `seed` of every op in random_ops set to `seed`, and `seed2` to 1000
/// plus its position in `order` (sorted); ops not in `order` are numbered after it, by name. In
/// functions only ops without a seed get one, numbered after all others by function and name. All
/// other bytes stay the same, except the lengths of enclosing messages. Cost: one copying pass.
[[nodiscard]] std::string with_seeds(std::string_view graph_def, std::int64_t seed,
                                     const std::vector<std::string>& order);

}  // namespace tideline::runtime
