// Reads the index of a TensorFlow checkpoint V2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// "PREFIX.index".
[[nodiscard]] std::string index_path(const std::string& prefix);
/// "PREFIX.data-00000-of-00002".
[[nodiscard]] std::string shard_path(const std::string& prefix, std::int64_t shard,
                                     std::int64_t shards);

/// The parts of a name that shard_path gives. The prefix is a part of the text parsed.
struct ShardName {
  std::string_view prefix;
  std::int64_t shard = 0;
  std::int64_t shards = 0;
};
[[nodiscard]] std::optional<ShardName> parse_shard_name(std::string_view path);
/// The prefix of the checkpoint that the file `path` belongs to, by its name alone; empty for other
/// names.
[[nodiscard]] std::string_view prefix_of_file(std::string_view path);

/// Opens the checkpoint PREFIX; looks at its index alone, so that a listing needs no data. Slices
/// of partitioned tensors become pieces of one tensor.
/// Errors: kNotFound, kIo; kCorrupt with the offset or the tensor; kUnsupported for big-endian
/// checkpoints and compressed indexes. Messages begin with the path of the index.
[[nodiscard]] Result<Checkpoint> open_tensor_bundle(const std::string& prefix);
/// The same for an index in memory.
[[nodiscard]] Result<Checkpoint> parse_tensor_bundle(const std::string& prefix,
                                                     std::string_view index);

}  // namespace tideline::checkpoint
