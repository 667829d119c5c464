// Compares two checkpoints tensor by tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

enum class TensorChange : std::uint8_t {
  kEqual,
  kValues,
  kBytes,  ///< of a type whose values are not read, such as variant
  kShape,
  kType,
  kOnlyFirst,
  kOnlySecond
};
/// "equal", "values", "bytes", "shape", "type", "only in the first", "only in the second".
[[nodiscard]] const char* change_name(TensorChange change);

struct TensorDifference {
  std::string name;
  TensorChange change = TensorChange::kEqual;
  const StoredTensor* first = nullptr;
  const StoredTensor* second = nullptr;
  /// Of kOnlyFirst and kOnlySecond: the tensor of the other checkpoint that has type, shape and
  /// bytes in common with this one; each has at most one. Null for others.
  const StoredTensor* moved = nullptr;
  /// Of kValues: elements whose bits differ, the place of the first of them, and the largest
  /// difference of two numbers. The last is missing for strings and complex numbers, and when one
  /// of the two is NaN.
  std::int64_t different = 0;
  std::int64_t first_different = 0;
  std::optional<double> largest = {};
};

/// One entry a name of either, by name. Values are equal if their bits are. Both checkpoints must
/// outlive the result. Errors: those of
/// TensorStream and read_strings; kCancelled. Cost: O(bytes of both).
[[nodiscard]] Result<std::vector<TensorDifference>> compare(const Checkpoint& first,
                                                            const Checkpoint& second,
                                                            Progress& progress);

}  // namespace tideline::checkpoint
