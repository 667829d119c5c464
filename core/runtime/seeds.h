// Seeds of random ops, so that two runs draw the same numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tideline::runtime {

/// The names of the ops with an attribute `seed2` in an encoded GraphDef, sorted by their bytes;
/// those inside functions are not among them. Precondition: the bytes passed the wire check.
[[nodiscard]] std::vector<std::string> random_ops(std::string_view graph_def);

/// How many of them have no seed in the file, so that each run draws other numbers.
[[nodiscard]] std::int64_t count_unseeded(std::string_view graph_def);

/// The GraphDef with `seed` as the attribute `seed` of every op in random_ops, and 1000 plus its
/// position in `order` as its `seed2`; ops that are not in `order` (sorted) are numbered after it,
/// by name. In functions only ops without a seed get one, numbered after all others by function and
/// name. Every other byte stays, but for lengths around functions.
/// Cost: one pass that copies.
[[nodiscard]] std::string with_seeds(std::string_view graph_def, std::int64_t seed,
                                     const std::vector<std::string>& order);

}  // namespace tideline::runtime
