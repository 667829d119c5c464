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
#include <unistd.h>

#include <filesystem>
#include <set>

#include "core/base/crc32c.h"
#include "core/base/source_bytes.h"
#include "core/base/sync.h"
#include "core/base/text.h"
#include "core/checkpoint/folder_lock.h"
#include "core/checkpoint/shard_files.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

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
