// Writes a checkpoint in another format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// The format that an output's name means: ".safetensors" a file of that kind, a final "/" or
/// ".npy" a folder of .npy files, ".npz" an archive, which no convert writes, everything else the
/// prefix of a TensorFlow checkpoint.
[[nodiscard]] Format format_of_name(std::string_view path);

/// The format called "tensorflow", "safetensors" or "npy"; nullopt for other words.
[[nodiscard]] std::optional<Format> parse_format(std::string_view word);

/// Whether the file or folder `path` is a file of `source` or has one in it.
[[nodiscard]] bool holds_file_of(const Checkpoint& source, const std::string& path);

/// Checks, before long work begins, whether `convert` would refuse `path` as things are now.
[[nodiscard]] Status check_conversion(const Checkpoint& source, const std::string& path,
                                      Format format, bool replace);

/// Writes all tensors of `source` to `path`, whole or not at all: checksums are compared on the
/// way, slices become whole tensors, nothing is rounded or dropped. Errors: those of the writers
/// (bundle_writer.h, safetensors.h, npy_folder.h); kInvalidArgument for an output that is the
/// source or a part of it; kCancelled. Cost: O(bytes).
[[nodiscard]] Status convert(const Checkpoint& source, const std::string& path, Format format,
                             bool replace, Progress& progress);

}  // namespace tideline::checkpoint
