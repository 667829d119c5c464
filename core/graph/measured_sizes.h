// Sizes of tensors as a traced step had them.
#pragma once

#include <vector>

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/graph/dtype.h"
#include "core/graph/shape.h"

namespace tideline {

/// Of a tensor that was made several times, in a loop, the largest.
struct MeasuredSize {
  TensorId tensor;
  Bytes bytes = 0;  ///< of its elements, not of the block that was allocated
  DataType type = DataType::kInvalid;
  Shape shape;  ///< of unknown rank where it was not told
};

/// Invariant: by tensor, each once.
struct MeasuredSizes {
  std::vector<MeasuredSize> sizes;
  /// Largest sum of what a device of the step held, without what was resident before it.
  Bytes peak = 0;
};

}  // namespace tideline
