// Sizes of tensors, and times and scratch memory of ops, recorded in a traced step.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/graph/dtype.h"
#include "core/graph/loop_count.h"
#include "core/graph/shape.h"

namespace tideline {

/// The size of one tensor; the largest if a loop produced it several times.
struct MeasuredSize {
  TensorId tensor;
  Bytes bytes = 0;  ///< of its elements, not of the allocated block
  DataType type = DataType::kInvalid;
  Shape shape;  ///< of unknown rank when the trace has none
};

/// Invariant: sorted by tensor, each once.
struct MeasuredSizes {
  std::vector<MeasuredSize> sizes;
  std::vector<std::int32_t> runs;  ///< by op: how often it ran; empty when not known
  /// Rounds of While ops, for each entry. They run under other names; sorted by name, which begins
  /// with the names of the calls around the op ("call/while").
  std::vector<GivenRounds> called_loops;
  /// Peak of the memory allocated on a device during the step, without what was allocated before.
  Bytes peak = 0;
  /// By op: its part of the time, in all executions (time_shares.h); -1: not in the trace.
  std::vector<std::int64_t> op_ns;
  std::int64_t span_ns = 0;    ///< of the step, from the first beginning to the last end
  std::vector<Bytes> scratch;  ///< by op: the most that an execution used; 0 for others
  /// By op: its place in the order in which the ops of all devices first started; -1: not in the
  /// trace.
  std::vector<std::int32_t> places;
  bool is_of_gpu = false;  ///< whether the device with the peak is a GPU
};

}  // namespace tideline
