// Problem: a checkpoint is an index and data files with fixed names. Whoever writes over one, file
//   by file, has moments when the new data stand beside the old index, and a crash then loses both.
// Idea: the names of data files contain the number of shards, and the index says which number
//   counts. A new checkpoint takes a number that the index does not have, so that its data are
//   other files. They go to disk, then the index replaces the old one by a rename, which is atomic,
//   and then the old data files go. The number alternates between one and two; of two shards the
//   second is empty. A first save has one shard, as TensorFlow's own. (A number that no file has at
//   all would grow with every process that is killed.)
// Order: data written and flushed; the folder locked, so that each of two writers sees what the
//   other left; data renamed, the folder flushed; index written, flushed, renamed, the folder
//   flushed; old data removed. A power failure leaves a state between two of these.
// Tested by: unit/checkpoint/convert_test.cc, tests/integration/checkpoint_test.py and
// tests/golden/files/writers_test.py.
#include "core/checkpoint/bundle_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/crc32c.h"
#include "core/base/error.h"
#include "core/base/source_bytes.h"
#include "core/base/sync.h"
#include "core/base/temporaries.h"
#include "core/base/text.h"
#include "core/checkpoint/folder_lock.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

// Data files of a checkpoint between their temporary names and those that its index means.
// Problem: data files get their names before the index does. A process that is killed between the
//   two leaves data that nothing names; where the prefix has a step, no later save looks there.
// Idea: the temporary file stays as a second name, a hard link, until the index stands. Whoever
//   finds the second name of a process that is gone finds its data by their inode, and looks into
//   the index whether they count. So nothing that others wrote is ever taken for an orphan.
// Tested by: unit/checkpoint/file_crash_test.cc, golden/files/checkpoints_test.py.

// Data files that get the names of shards. Until `keep` they have a second name by which
// remove_orphans knows, if this process is killed, that no index names them. The destructor
// removes the second names, and without `keep` the files. Precondition of all: the folder is
// locked (folder_lock.h).
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

// Removes data files in `folder` that a killed process of ours had placed and that no index names.
// Files of other programs, such as TensorFlow, stay. Failures are ignored. Cost: O(entries of the
// folder).
void remove_orphans(const std::string& folder) noexcept {
  for (const std::string& part : abandoned_parts(folder)) {
    struct stat status {};
    if (::lstat(part.c_str(), &status) == 0 && status.st_nlink > 1) remove_orphans_of(part, status);
    ::unlink(part.c_str());
  }
}

namespace fs = std::filesystem;

struct DataFile {
  std::string path;
  std::int64_t shards = 0;
};

// All files PREFIX.data-SSSSS-of-NNNNN.
std::vector<DataFile> data_files_of(const std::string& prefix) {
  const std::string name = fs::path(prefix).filename().string();
  std::vector<DataFile> found;
  std::error_code error;
  for (fs::directory_iterator at(folder_of(prefix), error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string file = at->path().filename().string();
    const auto shard = parse_shard_name(file);
    if (shard && shard->prefix == name) found.push_back({at->path().string(), shard->shards});
  }
  return found;
}

Status check_name(const std::string& name, const std::map<std::string, BundleEntry>& entries) {
  if (name.empty() || name.front() == '\0') {
    return fail(Code::kInvalidArgument, "tensor '{}': a checkpoint cannot have this name",
                printable(name));
  }
  if (entries.contains(name)) {
    return fail(Code::kInvalidArgument, "tensor '{}' is there twice", printable(name));
  }
  return {};
}

}  // namespace

std::int64_t other_shard_count(const std::string& prefix, std::int64_t least) {
  const auto standing = open_tensor_bundle(prefix);
  std::set<std::int64_t> taken;
  if (standing) {
    taken.insert(static_cast<std::int64_t>(standing->files.size()));
  } else if (standing.error().code != Code::kNotFound) {
    for (const DataFile& file : data_files_of(prefix)) taken.insert(file.shards);
  }
  std::int64_t count = least;
  while (taken.contains(count)) ++count;
  return count;
}

void remove_other_shards(const std::string& prefix, std::int64_t shards, RemovedFiles* removed) {
  for (const DataFile& file : data_files_of(prefix)) {
    if (file.shards == shards) continue;
    if (removed != nullptr) {
      removed->push_back(
          std::make_unique<Descriptor>(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC)));
    }
    ::unlink(file.path.c_str());
  }
}

void remove_shards(const std::string& prefix, std::int64_t shards) noexcept {
  for (const DataFile& file : data_files_of(prefix)) {
    if (file.shards == shards) ::unlink(file.path.c_str());
  }
}

Status place_bundle(const std::string& prefix, const std::vector<std::string>& temporaries,
                    const std::map<std::string, BundleEntry>& entries, const Placing& how,
                    Progress& progress) {
  TIDELINE_TRY(const FolderLock lock, FolderLock::take(folder_of(prefix), progress));
  remove_orphans(folder_of(prefix));
  const auto in_place = static_cast<std::int64_t>(temporaries.size());
  const std::int64_t shards = other_shard_count(prefix, in_place);
  std::map<std::string, std::string> table;
  BundleHeader header;
  header.shards = shards;
  table.emplace("", encode(header));
  for (const auto& [name, entry] : entries) table.emplace(name, encode(entry));
  const std::string index = write_table(table);
  TIDELINE_TRY(ShardFiles files, ShardFiles::place(prefix, temporaries, shards));
  for (std::int64_t shard = in_place; shard < shards; ++shard) {
    TIDELINE_RETURN_IF_ERROR(write_file(shard_path(prefix, shard, shards), "", true, how.readers));
  }
  const Status written = write_file(index_path(prefix), index, how.replace, how.readers);
  if (written) {
    files.keep();
    remove_other_shards(prefix, shards, how.removed);
    return {};
  }
  // The rename may have succeeded and its flush failed: the new data count then.
  const auto now = open_bytes(index_path(prefix));
  if (now && (*now)->bytes() == index) files.keep();
  return written;
}

BundleWriter::BundleWriter(std::string prefix, bool replace, Readers readers, OutputFile data)
    : prefix_(std::move(prefix)), replace_(replace), readers_(readers), data_(std::move(data)) {}

Result<BundleWriter> BundleWriter::create(const std::string& prefix, bool replace,
                                          const Readers& readers) {
  TIDELINE_RETURN_IF_ERROR(check_output_path(index_path(prefix), replace));
  // Else what a killed process left would be taken for a checkpoint.
  Progress silent;
  if (const auto lock = FolderLock::take(folder_of(prefix), silent, 0)) {
    remove_orphans(folder_of(prefix));
  }
  if (const auto left = data_files_of(prefix); !replace && !left.empty()) {
    return fail(Code::kInvalidArgument, "{}: exists; give {{force}} to replace it",
                left.front().path);
  }
  // Its number of shards may be another one in the end.
  const std::string path = shard_path(prefix, 0, other_shard_count(prefix));
  TIDELINE_TRY(OutputFile data, OutputFile::create(path, true, readers));
  return BundleWriter(prefix, replace, readers, std::move(data));
}

Status BundleWriter::begin(const std::string& name, DataType type,
                           const std::vector<std::int64_t>& dims) {
  TIDELINE_RETURN_IF_ERROR(check_name(name, entries_));
  name_ = name;
  entry_ = {};
  entry_.type = type;
  entry_.dims = dims;
  entry_.offset = at_;
  crc_ = 0;
  return {};
}

Status BundleWriter::append(std::string_view bytes) {
  crc_ = crc32c(bytes, crc_);
  at_ += static_cast<std::int64_t>(bytes.size());
  return data_.append(bytes);
}

Status BundleWriter::end() {
  entry_.bytes = at_ - entry_.offset;
  entry_.masked_crc = mask_crc(crc_);
  if (element_bytes(entry_.type) != 0 &&
      tensor_content_bytes(entry_.type, entry_.dims) != entry_.bytes) {
    return fail(Code::kInvalidArgument, "tensor '{}': {} does not have {} bytes", printable(name_),
                describe(entry_.type, Shape::of(entry_.dims)), entry_.bytes);
  }
  entries_.emplace(name_, std::move(entry_));
  return {};
}

Status BundleWriter::add_strings(const std::string& name, const std::vector<std::int64_t>& dims,
                                 const std::vector<std::string>& strings) {
  TIDELINE_RETURN_IF_ERROR(begin(name, DataType::kString, dims));
  const EncodedStrings encoded = encode_strings(strings);
  TIDELINE_RETURN_IF_ERROR(append(encoded.bytes));
  crc_ = encoded.crc;
  return end();
}

Status BundleWriter::commit(Progress& progress) {
  TIDELINE_RETURN_IF_ERROR(data_.finish());
  return place_bundle(prefix_, {data_.temporary()}, entries_, {replace_, readers_, nullptr},
                      progress);
}

}  // namespace tideline::checkpoint
