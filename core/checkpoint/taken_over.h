// Incremental saves: data files of an earlier checkpoint that the next one uses again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/memory_tensors.h"

namespace tideline::checkpoint {

struct TakenOver {
  std::vector<std::string> files;  ///< paths; each is used as a whole
  struct Place {
    std::size_t file = 0;  ///< index into `files`
    std::int64_t offset = 0;
  };
  std::vector<std::optional<Place>> places;  ///< of each tensor; none: it is to be written
  /// Whether a tensor that is to be written is what it was before.
  std::vector<bool> is_unchanged;
};

/// The data files of `earlier` of which every byte is right for `tensors`: all tensors in them are
/// there, with the same names, types, shapes, checksums and, compared one by one, bytes. At most
/// `most` files, the largest. What cannot be read is not taken over. Errors: kCancelled.
/// Cost: O(bytes that are taken over), read from disk.
[[nodiscard]] Result<TakenOver> find_taken_over(const Checkpoint& earlier,
                                                const std::vector<MemoryTensor>& tensors,
                                                const ChecksumOf& checksum_of, std::size_t most,
                                                Progress& progress);

}  // namespace tideline::checkpoint
