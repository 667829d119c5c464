// Writes a checkpoint in another format.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/format.h"

namespace tideline::checkpoint {

/// The format that an output's name means by its end; with no known end it is the prefix of a
/// TensorFlow checkpoint.
[[nodiscard]] const CheckpointFormat& format_of_name(std::string_view path);

/// The format called "tensorflow", "safetensors", "npy" and so on; null for other words.
[[nodiscard]] const CheckpointFormat* parse_format(std::string_view word);

/// Whether the file or folder `path` is a file of `source` or has one in it.
[[nodiscard]] bool holds_file_of(const Checkpoint& source, const std::string& path);

/// Checks, before long work begins, whether `convert` would refuse `path` as things are now.
[[nodiscard]] Status check_conversion(const Checkpoint& source, const std::string& path,
                                      const CheckpointFormat& format, bool replace);

/// Writes all tensors of `source` to `path`, whole or not at all: checksums are compared on the
/// way, slices become whole tensors, nothing is rounded or dropped. Errors: those of the format;
/// kInvalidArgument for an output that is the source or a part of it; kUnsupported for a format
/// that is only read, and for types that it lacks; kCancelled. Cost: O(bytes).
[[nodiscard]] Status convert(const Checkpoint& source, const std::string& path,
                             const CheckpointFormat& format, bool replace, Progress& progress);

}  // namespace tideline::checkpoint
