// Tested by unit/checkpoint/file_backend_test.cc.
#include "core/checkpoint/memory_tensors.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include "core/base/crc32c.h"
#include "core/base/descriptor.h"
#include "core/base/permissions.h"
#include "core/base/sync.h"
#include "core/base/temporaries.h"
#include "core/base/text.h"
#include "core/checkpoint/bundle_writer.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/direct_file.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/taken_over.h"
#include "core/checkpoint/tensor_bundle.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/graph/element_type.h"

namespace tideline::checkpoint {
namespace {

// Smaller tensors are copied: a write of their own would cost more.
constexpr std::size_t kInPlaceBytes = std::size_t{256} << 10U;
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMostTaken = 64;  // data files that an incremental save takes over
constexpr std::size_t kPartOfLoadBytes = std::size_t{16} << 20U;
constexpr std::size_t kMemoryPartBytes = std::size_t{1}
                                         << 20U;  // fits a cache between read and checksum

std::size_t place_of(const MemoryTensor& tensor, std::size_t at) {
  if (tensor.bytes < kInPlaceBytes) return (at + kAlignment - 1) / kAlignment * kAlignment;
  constexpr std::size_t kBlock = DirectFile::kBlockBytes;
  const std::size_t wanted = reinterpret_cast<std::uintptr_t>(tensor.data) % kBlock;
  return at + (wanted + kBlock - at % kBlock) % kBlock;
}

// A checkpoint that was private stays so.
Readers readers_of_standing(const std::string& prefix) {
  std::error_code error;
  const std::string index = index_path(prefix);
  return std::filesystem::exists(index, error) ? readers_of(index) : Readers();
}

TakenOver nothing_taken(std::size_t tensors) {
  TakenOver none;
  none.places.resize(tensors);
  none.is_unchanged.resize(tensors);
  return none;
}

// Tensors that go into one data file, in their order, and their offsets there.
struct DataPart {
  std::vector<std::size_t> tensors;
  std::vector<std::size_t> places;
  std::size_t bytes = 0;

  void add(const std::vector<MemoryTensor>& all, std::size_t tensor) {
    tensors.push_back(tensor);
    places.push_back(place_of(all[tensor], bytes));
    bytes = places.back() + all[tensor].bytes;
  }
};

Result<DirectFile> write_data(const std::string& path, const std::vector<MemoryTensor>& tensors,
                              const DataPart& part, const Readers& readers, Progress& progress) {
  TIDELINE_TRY(DirectFile file, DirectFile::create(path, part.bytes, readers));
  for (std::size_t i = 0; i < part.tensors.size(); ++i) {
    if (!progress.report("saving", static_cast<std::int64_t>(file.offset()),
                         static_cast<std::int64_t>(part.bytes))) {
      return cancelled();
    }
    const MemoryTensor& tensor = tensors[part.tensors[i]];
    if (tensor.before_read) {
      TIDELINE_RETURN_IF_ERROR(tensor.before_read());
    }
    TIDELINE_RETURN_IF_ERROR(file.pad(part.places[i]));
    const std::string_view bytes(tensor.data, tensor.bytes);
    TIDELINE_RETURN_IF_ERROR(bytes.size() < kInPlaceBytes ? file.write(bytes)
                                                          : file.write_in_place(bytes));
  }
  TIDELINE_RETURN_IF_ERROR(file.finish());
  return file;
}

BundleEntry entry_of(const MemoryTensor& tensor, std::int64_t shard, std::int64_t offset,
                     std::uint32_t crc) {
  BundleEntry entry;
  entry.type = tensor.type;
  entry.dims = tensor.dims;
  entry.shard = shard;
  entry.offset = offset;
  entry.bytes = static_cast<std::int64_t>(tensor.bytes);
  entry.masked_crc = mask_crc(crc);
  return entry;
}

// Second names of the data files of a checkpoint: they stay what they are while another process
// replaces it.
class HeldFiles {
 public:
  // Where the file system has no hard links, or a file is gone: none.
  static std::optional<Checkpoint> hold(Checkpoint checkpoint, const std::string& prefix,
                                        HeldFiles& held) {
    for (std::string& file : checkpoint.files) {
      std::string name = temporary_pattern(shard_path(prefix, 0, 1));
      const Descriptor made(::mkostemp(name.data(), O_CLOEXEC));
      if (made.value() < 0) return std::nullopt;
      ::unlink(name.c_str());
      if (::link(file.c_str(), name.c_str()) != 0) return std::nullopt;
      held.names_.push_back(name);
      file = name;
    }
    return checkpoint;
  }

  HeldFiles() = default;
  ~HeldFiles() {
    for (const std::string& name : names_) ::unlink(name.c_str());
  }
  HeldFiles(const HeldFiles&) = delete;
  HeldFiles& operator=(const HeldFiles&) = delete;

 private:
  std::vector<std::string> names_;
};

bool is_on_disk(const std::string& file) {
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  return opened.value() >= 0 && sync_file(opened.value());
}

// Shards: those with new data, then those that are taken over.
Status save(const std::string& prefix, const std::vector<MemoryTensor>& tensors,
            const ChecksumOf& checksum_of, const TakenOver& taken, Progress& progress,
            RemovedFiles* removed) {
  const Readers readers = readers_of_standing(prefix);
  std::vector<DataPart> parts(1);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (taken.places[i]) continue;
    // Tensors that stay the same get a file of their own, which the next save can take over.
    const std::size_t part = taken.is_unchanged[i] ? 1 : 0;
    if (parts.size() <= part) parts.resize(2);
    parts[part].add(tensors, i);
  }
  const std::size_t in_place = parts.size() + taken.files.size();
  // The number of shards may be another one in the end.
  const std::int64_t shards = other_shard_count(prefix, static_cast<std::int64_t>(in_place));
  std::vector<DirectFile> written;
  std::vector<std::string> temporaries;
  for (const DataPart& part : parts) {
    const std::string path = shard_path(prefix, static_cast<std::int64_t>(written.size()), shards);
    TIDELINE_TRY(DirectFile file, write_data(path, tensors, part, readers, progress));
    temporaries.push_back(file.temporary());
    written.push_back(std::move(file));
  }
  temporaries.insert(temporaries.end(), taken.files.begin(), taken.files.end());
  std::map<std::string, BundleEntry> entries;
  for (std::size_t shard = 0; shard < parts.size(); ++shard) {
    for (std::size_t k = 0; k < parts[shard].tensors.size(); ++k) {
      const std::size_t i = parts[shard].tensors[k];
      entries[tensors[i].name] =
          entry_of(tensors[i], static_cast<std::int64_t>(shard),
                   static_cast<std::int64_t>(parts[shard].places[k]), checksum_of(i));
    }
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!taken.places[i]) continue;
    const auto shard = static_cast<std::int64_t>(parts.size() + taken.places[i]->file);
    entries[tensors[i].name] = entry_of(tensors[i], shard, taken.places[i]->offset, checksum_of(i));
  }
  return place_bundle(prefix, temporaries, entries, {true, readers, removed}, progress);
}

// The bytes that a stored tensor has in memory; nullopt for a type without a form there.
std::optional<Bytes> bytes_in_memory(const StoredTensor& stored) {
  if (stored.type != DataType::kString) return tensor_content_bytes(stored.type, stored.dims);
  if (stored.strings) return static_cast<Bytes>(encode_strings(*stored.strings).bytes.size());
  return stored.pieces.size() == 1 ? std::optional<Bytes>(stored.pieces.front().bytes)
                                   : std::nullopt;
}

Status read_strings_in_place(DataFiles& files, const StoredTensor& stored,
                             const MemoryTensor& tensor) {
  // Read as strings, which compares both checksums, and encoded again: the form is unique.
  TIDELINE_TRY(const std::vector<std::string> strings, read_strings(files, stored));
  const std::string bytes = encode_strings(strings).bytes;
  if (bytes.size() != tensor.bytes) {
    return fail(Code::kCorrupt, "{}: tensor '{}': its strings take {} bytes; expected {}",
                files.checkpoint().path, printable(stored.name), bytes.size(), tensor.bytes);
  }
  std::memcpy(tensor.data, bytes.data(), bytes.size());
  return {};
}

Status read_in_place(DataFiles& files, const StoredTensor& stored, const MemoryTensor& tensor) {
  if (stored.type == DataType::kString) return read_strings_in_place(files, stored, tensor);
  if (stored.is_sliced) {
    TIDELINE_TRY(const std::string content, read_tensor(files, stored));
    std::memcpy(tensor.data, content.data(), content.size());
    return {};
  }
  const Piece& piece = stored.pieces.front();
  std::uint32_t crc = 0;
  for (std::size_t at = 0; at < tensor.bytes; at += kMemoryPartBytes) {
    const std::size_t size = std::min(kMemoryPartBytes, tensor.bytes - at);
    TIDELINE_RETURN_IF_ERROR(files.read(piece, static_cast<Bytes>(at), tensor.data + at, size));
    if (piece.crc) crc = crc32c({tensor.data + at, size}, crc);
  }
  return compare_crc(files, stored, piece, crc);
}

// The stored tensor of each, after all were compared.
Result<std::vector<const StoredTensor*>> find_all(const Checkpoint& checkpoint,
                                                  const std::vector<MemoryTensor>& tensors) {
  std::vector<const StoredTensor*> found;
  for (const MemoryTensor& tensor : tensors) {
    const StoredTensor* stored = checkpoint.find(tensor.name);
    if (stored == nullptr) {
      return fail(Code::kNotFound, "{}: has no tensor '{}'", checkpoint.path,
                  printable(tensor.name));
    }
    const auto bytes = bytes_in_memory(*stored);
    if (stored->type != tensor.type || stored->dims != tensor.dims || !bytes ||
        static_cast<std::size_t>(*bytes) != tensor.bytes) {
      return fail(Code::kInvalidArgument, "{}: tensor '{}' is {}; expected {} in {} bytes",
                  checkpoint.path, printable(tensor.name),
                  describe(stored->type, Shape::of(stored->dims)),
                  describe(tensor.type, Shape::of(tensor.dims)), tensor.bytes);
    }
    found.push_back(stored);
  }
  return found;
}

// Where the parts begin that are read at a time, and the end. Many small tensors are one part, so
// that files are not opened for each.
std::vector<std::size_t> parts_of(const std::vector<MemoryTensor>& tensors) {
  std::vector<std::size_t> begins = {0};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    bytes += tensors[i].bytes;
    if (bytes < kPartOfLoadBytes && i + 1 < tensors.size()) continue;
    begins.push_back(i + 1);
    bytes = 0;
  }
  return begins;
}

}  // namespace

Status check_tensors(const std::vector<MemoryTensor>& tensors) {
  std::vector<std::string_view> names;
  for (const MemoryTensor& tensor : tensors) {
    const bool is_string = tensor.type == DataType::kString;
    if (is_reference(tensor.type) || (!is_string && element_bytes(tensor.type).value_or(0) == 0)) {
      return fail(Code::kUnsupported, "tensor '{}': is of type {}; expected numbers or strings",
                  printable(tensor.name), element_type_name(tensor.type));
    }
    const auto bytes = tensor_content_bytes(tensor.type, tensor.dims);
    if (is_string) {
      const auto count = count_elements(tensor.dims);
      const auto decoded = decode_strings({tensor.data, tensor.bytes}, count.value_or(-1));
      if (!decoded) {
        return tl::unexpected(
            with_context(decoded.error(), fmt::format("tensor '{}'", printable(tensor.name))));
      }
    } else if (!bytes || static_cast<std::size_t>(*bytes) != tensor.bytes) {
      return fail(Code::kInvalidArgument, "tensor '{}': {} does not have {} bytes",
                  printable(tensor.name), describe(tensor.type, Shape::of(tensor.dims)),
                  tensor.bytes);
    }
    if (tensor.name.empty() || tensor.name.front() == '\0') {
      return fail(Code::kInvalidArgument, "tensor '{}': a checkpoint cannot have this name",
                  printable(tensor.name));
    }
    names.push_back(tensor.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return {};
  return fail(Code::kInvalidArgument, "tensor '{}' is there twice", printable(*twice));
}

std::uint32_t crc_of(const MemoryTensor& tensor) {
  const std::string_view bytes(tensor.data, tensor.bytes);
  if (tensor.type != DataType::kString) return crc32c(bytes);
  const auto decoded = decode_strings(bytes, count_elements(tensor.dims).value_or(-1));
  return decoded ? decoded->crc : 0;
}

Status save_tensors(const std::string& prefix, const std::vector<MemoryTensor>& tensors,
                    const ChecksumOf& checksum_of, Progress& progress, RemovedFiles* removed) {
  TIDELINE_RETURN_IF_ERROR(check_tensors(tensors));
  TIDELINE_RETURN_IF_ERROR(check_output_path(index_path(prefix), true));
  return save(prefix, tensors, checksum_of, nothing_taken(tensors.size()), progress, removed);
}

Status save_changed_tensors(const std::string& prefix, const std::string& earlier,
                            const std::vector<MemoryTensor>& tensors, const ChecksumOf& checksum_of,
                            Progress& progress, RemovedFiles* removed) {
  TIDELINE_RETURN_IF_ERROR(check_tensors(tensors));
  TIDELINE_RETURN_IF_ERROR(check_output_path(index_path(prefix), true));
  TakenOver taken = nothing_taken(tensors.size());
  HeldFiles held;
  auto standing = open_tensor_bundle(earlier);
  const auto earlier_files =
      standing ? HeldFiles::hold(*std::move(standing), prefix, held) : std::optional<Checkpoint>();
  if (earlier_files) {
    TIDELINE_TRY(taken,
                 find_taken_over(*earlier_files, tensors, checksum_of, kMostTaken, progress));
    if (!std::all_of(taken.files.begin(), taken.files.end(), is_on_disk)) {
      taken = nothing_taken(tensors.size());
    }
  }
  return save(prefix, tensors, checksum_of, taken, progress, removed);
}

Status load_tensors(const Checkpoint& checkpoint, const std::vector<MemoryTensor>& tensors,
                    Progress& progress, const RunAll& run_all) {
  TIDELINE_TRY(const std::vector<const StoredTensor*> found, find_all(checkpoint, tensors));
  const std::vector<std::size_t> parts = parts_of(tensors);
  std::int64_t total = 0;
  for (const MemoryTensor& tensor : tensors) total += static_cast<std::int64_t>(tensor.bytes);
  // The other threads may have read everything before this one gets a part.
  if (!progress.report("loading", 0, total)) return cancelled();
  std::atomic<std::int64_t> done = 0;
  std::atomic<bool> is_cancelled = false;
  const std::thread::id here = std::this_thread::get_id();
  const auto read_part = [&](std::size_t part) -> Status {
    DataFiles files(checkpoint);
    for (std::size_t i = parts[part]; i < parts[part + 1]; ++i) {
      if (std::this_thread::get_id() == here && !progress.report("loading", done, total)) {
        is_cancelled = true;
      }
      if (is_cancelled) return cancelled();
      TIDELINE_RETURN_IF_ERROR(read_in_place(files, *found[i], tensors[i]));
      if (tensors[i].after_write) {
        TIDELINE_RETURN_IF_ERROR(tensors[i].after_write());
      }
      done += static_cast<std::int64_t>(tensors[i].bytes);
    }
    return {};
  };
  if (run_all) return run_all(parts.size() - 1, read_part);
  for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
    TIDELINE_RETURN_IF_ERROR(read_part(part));
  }
  return {};
}

}  // namespace tideline::checkpoint
