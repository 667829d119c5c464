// Reads the index of a TensorFlow checkpoint V2.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/prefix_files.h"

namespace tideline::checkpoint {

/// Opens the checkpoint PREFIX; looks at its index alone, so that a listing needs no data. Slices
/// of partitioned tensors become pieces of one tensor.
/// Errors: kNotFound, kIo; kCorrupt with the offset or the tensor, also for tensors that lie on
/// each other; kUnsupported for big-endian checkpoints. Messages begin with the path of the index.
[[nodiscard]] Result<Checkpoint> open_tensor_bundle(const std::string& prefix);
/// The same for an index in memory.
[[nodiscard]] Result<Checkpoint> parse_tensor_bundle(const std::string& prefix,
                                                     std::string_view index);

}  // namespace tideline::checkpoint
