// The files that belong to the prefix of a TensorFlow checkpoint, by their names alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// All of these list a folder; one that cannot be listed has no files. Cost: O(files in it).
/// The checkpoints of version 2 that lie in the folder itself, by name.
[[nodiscard]] std::vector<std::string> prefixes_in(const std::string& folder);
/// The files PREFIX.data-SSSSS-of-NNNNN, by name.
[[nodiscard]] std::vector<std::string> data_shards_of(const std::string& prefix);
/// The files PREFIX-SSSSS-of-NNNNN of a checkpoint of version 1, by name. If there are several
/// numbers of shards, the lowest that is complete counts, else the lowest. PREFIX may be the name
/// of such a file, or end with the pattern "-?????-of-NNNNN", which TensorFlow writes into the file
/// "checkpoint".
struct TableShards {
  std::string prefix;
  std::vector<std::string> files;
  std::string missing;  ///< the first that is not there; empty if all are
};
[[nodiscard]] TableShards table_shards_of(const std::string& prefix);
/// The prefixes PREFIX-STEP of which there is a file, the highest step last.
[[nodiscard]] std::vector<std::string> steps_of(const std::string& prefix);

}  // namespace tideline::checkpoint
