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

/// Writes tensors in memory to the file `path`, whole or not at all, in place of what is there.
/// What the format lacks, checksums and types, goes into the header's __metadata__ as "tideline"
/// (extras.h). Errors: those of OutputFile and check_tensors; kUnsupported for strings and for
/// names that are not UTF-8; kCancelled.
[[nodiscard]] Status save_safetensors(const std::string& path,
                                      const std::vector<MemoryTensor>& tensors,
                                      const ChecksumOf& checksum_of, Progress& progress);

}  // namespace tideline::checkpoint
