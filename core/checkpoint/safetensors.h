// Reads and writes safetensors files: a JSON header, then the tensors.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/memory_tensors.h"
#include "core/checkpoint/safetensors_head.h"

namespace tideline::checkpoint {

/// Reads the header. As the format demands, the tensors have to follow one another without holes.
/// Types that the format lacks and strings are as write_safetensors keeps them; types that
/// TensorFlow lacks are StoredTensor::foreign_type. Errors: kNotFound, kIo; kCorrupt, naming tensor
/// and field; kUnsupported for unknown element types and for longer headers than the library reads.
/// Messages begin with the path.
[[nodiscard]] Result<Checkpoint> open_safetensors(const std::string& path);

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
