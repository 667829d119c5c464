// Whether the slices of a partitioned tensor are all of it, each element once.
#pragma once

#include <cstdint>
#include <vector>

#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// Whether every element of a tensor of the shape `dims` lies in exactly one of `pieces`, which all
/// have start and length and lie within the tensor. Cost: O(pieces x dimensions), not of elements.
[[nodiscard]] bool cover_once(const std::vector<Piece>& pieces,
                              const std::vector<std::int64_t>& dims);

}  // namespace tideline::checkpoint
