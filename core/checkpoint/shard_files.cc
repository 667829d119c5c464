// Problem: data files get their names before the index does. A process that is killed between the
//   two leaves data that nothing names; where the prefix has a step, no later save looks there.
// Idea: the temporary file stays as a second name, a hard link, until the index stands. Whoever
//   finds the second name of a process that is gone finds its data by their inode, and looks into
//   the index whether they count. So nothing that others wrote is ever taken for an orphan.
// Tested by: unit/checkpoint/file_crash_test.cc, golden/files/checkpoints_test.py.
#include "core/checkpoint/shard_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/sync.h"
#include "core/base/temporaries.h"
#include "core/checkpoint/bundle_writer.h"
#include "core/checkpoint/tensor_bundle.h"

namespace tideline::checkpoint {
namespace {

namespace fs = std::filesystem;

// Whether the checkpoint has data files of this number of shards. In doubt it has.
bool counts(const std::string& prefix, std::int64_t shards) {
  std::error_code error;
  if (!fs::exists(index_path(prefix), error) && !error) return false;
  const auto standing = open_tensor_bundle(prefix);
  return !standing || static_cast<std::int64_t>(standing->files.size()) == shards;
}

// Data files that are the file `part`, under the names of shards.
void remove_orphans_of(const std::string& part, const struct stat& status) {
  std::error_code error;
  for (fs::directory_iterator at(folder_of(part), error), end; !error && at != end;
       at.increment(error)) {
    const std::string path = at->path().native();
    const auto name = parse_shard_name(path);
    struct stat found {};
    if (!name || ::lstat(path.c_str(), &found) != 0 || found.st_ino != status.st_ino ||
        found.st_dev != status.st_dev) {
      continue;
    }
    const std::string prefix(name->prefix);
    if (!counts(prefix, name->shards)) remove_shards(prefix, name->shards);
  }
}

}  // namespace

ShardFiles::ShardFiles(std::string prefix, std::int64_t shards)
    : prefix_(std::move(prefix)), shards_(shards) {}

ShardFiles::ShardFiles(ShardFiles&& other) noexcept
    : prefix_(std::exchange(other.prefix_, {})),
      shards_(other.shards_),
      parts_(std::exchange(other.parts_, {})),
      is_kept_(other.is_kept_) {}

ShardFiles::~ShardFiles() {
  if (!is_kept_ && !prefix_.empty()) remove_shards(prefix_, shards_);
  for (const std::string& part : parts_) ::unlink(part.c_str());
}

Result<ShardFiles> ShardFiles::place(const std::string& prefix,
                                     const std::vector<std::string>& temporaries,
                                     std::int64_t shards) {
  ShardFiles files(prefix, shards);
  std::int64_t shard = 0;
  for (const std::string& temporary : temporaries) {
    TIDELINE_RETURN_IF_ERROR(files.place_one(temporary, shard++));
  }
  if (!sync_folder(folder_of(prefix))) {
    return fail(Code::kIo, "{}: its folder cannot be flushed to disk: {}",
                shard_path(prefix, 0, shards), std::strerror(errno));
  }
  return files;
}

Status ShardFiles::place_one(const std::string& temporary, std::int64_t shard) {
  const std::string path = shard_path(prefix_, shard, shards_);
  const std::string part = part_name(temporary);
  if (::rename(temporary.c_str(), part.c_str()) == 0) {
    parts_.push_back(part);
    ::unlink(path.c_str());  // what a killed process left
    if (::link(part.c_str(), path.c_str()) == 0) return {};
    // A file system without hard links.
    if (::rename(part.c_str(), path.c_str()) == 0) return {};
  }
  return fail(Code::kIo, "{}: cannot rename: {}", path, std::strerror(errno));
}

void ShardFiles::keep() {
  is_kept_ = true;
  std::erase_if(parts_, [](const std::string& part) { return ::unlink(part.c_str()) == 0; });
}

void remove_orphans(const std::string& folder) noexcept {
  for (const std::string& part : abandoned_parts(folder)) {
    struct stat status {};
    if (::lstat(part.c_str(), &status) == 0 && status.st_nlink > 1) remove_orphans_of(part, status);
    ::unlink(part.c_str());
  }
}

}  // namespace tideline::checkpoint
