// Reads and writes safetensors files: a JSON header, then the tensors.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/memory_tensors.h"

namespace tideline::checkpoint {

/// Whether a file with this beginning, of at least 9 bytes if it has them, can be one.
[[nodiscard]] bool begins_like_safetensors(std::string_view head);

/// Reads the header. As the format demands, the tensors have to follow one another without holes.
/// Types that the format lacks and strings are as write_safetensors keeps them. Errors: kNotFound,
/// kIo; kCorrupt, naming tensor and field; kUnsupported for element types that TensorFlow lacks.
/// Messages begin with the path. Source: the format's description in the README of
/// huggingface/safetensors, and its limit of 100 MB for a header.
[[nodiscard]] Result<Checkpoint> open_safetensors(const std::string& path);
/// The same for the beginning of a file of `file_bytes` bytes.
[[nodiscard]] Result<Checkpoint> parse_safetensors(const std::string& path, std::string_view head,
                                                   std::int64_t file_bytes);

/// Bytes of the header with the number before it, of a file that begins with `head`. Errors:
/// kCorrupt.
[[nodiscard]] Result<std::int64_t> safetensors_head_bytes(std::string_view head,
                                                          std::int64_t file_bytes);

/// Writes all tensors of `source` to the file `path`, whole or not at all. Their checksums, strings
/// and types that the format lacks go into the header's __metadata__ as "tideline" (extras.h).
/// Errors: those of OutputFile and of reading; kUnsupported for types without a size (variants) and
/// for names that are not UTF-8; kCancelled.
[[nodiscard]] Status write_safetensors(const Checkpoint& source, const std::string& path,
                                       bool replace, Progress& progress);
/// The same of tensors in memory, in place of what is at `path`. Errors: those of
/// check_tensors, too.
[[nodiscard]] Status save_safetensors(const std::string& path,
                                      const std::vector<MemoryTensor>& tensors,
                                      const ChecksumOf& checksum_of, Progress& progress);

}  // namespace tideline::checkpoint
