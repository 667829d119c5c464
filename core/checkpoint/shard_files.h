// Data files of a checkpoint between their temporary names and those that its index means.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tideline::checkpoint {

/// Data files that get the names of shards. Until `keep` they have a second name by which
/// remove_orphans knows, if this process is killed, that no index names them. The destructor
/// removes the second names, and without `keep` the files. Precondition of all: the folder is
/// locked (folder_lock.h).
class ShardFiles {
 public:
  /// The files `temporaries` (temporaries.h), which are on disk, become the first shards of
  /// PREFIX; what has these names is replaced. Errors: kIo; the names are free then.
  [[nodiscard]] static Result<ShardFiles> place(const std::string& prefix,
                                                const std::vector<std::string>& temporaries,
                                                std::int64_t shards);
  ~ShardFiles();
  ShardFiles(ShardFiles&& other) noexcept;
  ShardFiles& operator=(ShardFiles&&) = delete;
  ShardFiles(const ShardFiles&) = delete;
  ShardFiles& operator=(const ShardFiles&) = delete;

  /// The index names them.
  void keep();

 private:
  ShardFiles(std::string prefix, std::int64_t shards);
  [[nodiscard]] Status place_one(const std::string& temporary, std::int64_t shard);

  std::string prefix_;
  std::int64_t shards_;
  std::vector<std::string> parts_;  // second names
  bool is_kept_ = false;
};

/// Removes data files in `folder` that a killed process of ours had placed and that no index names.
/// Files of other programs, such as TensorFlow, stay. Failures are ignored. Cost: O(entries of the
/// folder).
void remove_orphans(const std::string& folder) noexcept;

}  // namespace tideline::checkpoint
