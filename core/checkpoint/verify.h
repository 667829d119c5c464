// Checks every byte of a checkpoint against its checksums.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// Bytes that are not what was written.
struct Damage {
  std::string tensor;  ///< empty: bytes between tensors
  std::string file;
  std::int64_t offset = 0;  ///< in the file: of the flipped bit if it is known, else of the bytes
  Bytes bytes = 0;          ///< from there on, among which the damage is
  int bit = -1;             ///< the one that was flipped, 0 the lowest; -1 if unknown
  std::string what;         ///< a sentence: what is wrong
};

struct Verification {
  std::int64_t tensors = 0;
  std::int64_t unchecked = 0;  ///< tensors without a checksum
  Bytes bytes = 0;
  std::vector<Damage> damages;  ///< by tensor
};

/// Reads all data. Damaged and missing files are findings, not errors. The index itself was checked
/// when the checkpoint was opened. What else a format checks is its `check_rest`. Errors:
/// kCancelled. Cost: O(bytes).
[[nodiscard]] Result<Verification> verify(const Checkpoint& checkpoint, Progress& progress);

}  // namespace tideline::checkpoint
