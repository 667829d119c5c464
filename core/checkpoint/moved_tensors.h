// Finds tensors that have another name in another checkpoint.
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/compare.h"
#include "core/checkpoint/data_files.h"

namespace tideline::checkpoint {

/// Finds pairs of kOnlyFirst and kOnlySecond whose tensors have type, shape and bytes in common,
/// and sets TensorDifference::moved of both. Of several that are equal the earlier names belong
/// together. Empty tensors are no pair. Errors: as compare. Cost: O(bytes) of those that have type
/// and shape in common with one of the other side; of TensorFlow's checkpoints only those whose
/// checksums are equal are read.
[[nodiscard]] Status mark_moved(DataFiles& first, DataFiles& second, Progress& progress,
                                std::vector<TensorDifference>& differences);

/// Compares the values of two tensors of one type and shape (compare.cc).
[[nodiscard]] Status compare_values(DataFiles& first, DataFiles& second, Progress& progress,
                                    TensorDifference& found);

}  // namespace tideline::checkpoint
