// Problem: a checkpoint's index maps names to places in data files ("shards"); a partitioned
//   variable is spread over several entries whose keys are no names.
// Idea: read the table once, in the order of its keys. Keys that begin with a zero byte are slices
//   and come first, right after the header; they are kept until the tensor that names them is met.
// Checks: types, shapes and sizes agree, so that later code can compute with them. That data files
//   are long enough is checked when they are read.
// Source: TensorFlow 2.15, tensor_bundle.cc.
// Tested by: unit/checkpoint/tensor_bundle_test.cc, tests/integration/checkpoint_test.py.
#include "core/checkpoint/tensor_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "core/base/crc32c.h"
#include "core/base/input_file.h"
#include "core/base/output_file.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"
#include "core/checkpoint/bundle_writer.h"
#include "core/checkpoint/data_files.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/sstable.h"
#include "core/checkpoint/string_tensor.h"
#include "core/checkpoint/tensor_stream.h"
#include "core/checkpoint/verify.h"
#include "core/graph/element_type.h"
#include "core/io/foreign_files.h"

namespace tideline::checkpoint {
namespace {

constexpr std::int64_t kVersion = 1;         // of TensorFlow's format
constexpr std::int64_t kMostShards = 99999;  // file names have five digits

class IndexReader {
 public:
  explicit IndexReader(std::string prefix) {
    checkpoint_.format = &kBundleFormat;
    checkpoint_.path = std::move(prefix);
  }

  Status visit(std::string_view key, std::string_view value) {
    if (key.empty()) return read_header(value);
    if (!has_header_)
      return fail(Code::kCorrupt, "has no header; expected one under the empty key");
    auto entry = parse_bundle_entry(value);
    if (!entry) {
      return tl::unexpected(with_context(std::move(entry).error(), shown(key)));
    }
    if (entry->shard >= shards_) {
      return fail(Code::kCorrupt, "{}: lies in shard {}, but there are {}", shown(key),
                  entry->shard, shards_);
    }
    if (key.front() == '\0') {
      slices_.emplace(key, *std::move(entry));
      return {};
    }
    Status added = add(std::string(key), *entry);
    if (!added) return tl::unexpected(with_context(std::move(added).error(), shown(key)));
    return added;
  }

  Result<Checkpoint> finish() {
    if (!has_header_) return fail(Code::kCorrupt, "is empty; expected a header");
    TIDELINE_RETURN_IF_ERROR(check_places());
    return std::move(checkpoint_);
  }

 private:
  static std::string shown(std::string_view key) {
    if (key.front() != '\0') return fmt::format("tensor '{}'", printable(key));
    // 00, the name, 00 01.
    return fmt::format("a slice of tensor '{}'", printable(key.substr(1, key.find('\0', 1) - 1)));
  }

  Status read_header(std::string_view value) {
    TIDELINE_TRY(const BundleHeader header, parse_bundle_header(value));
    if (header.is_big_endian) {
      return fail(Code::kUnsupported, "is big-endian; expected a little-endian checkpoint");
    }
    if (header.least_consumer > kVersion) {
      return fail(Code::kUnsupported, "is for readers of version {} on; this is version {}",
                  header.least_consumer, kVersion);
    }
    if (header.shards < 0 || header.shards > kMostShards) {
      return fail(Code::kCorrupt, "the header says {} shards; expected at most {}", header.shards,
                  kMostShards);
    }
    has_header_ = true;
    shards_ = header.shards;
    for (std::int64_t shard = 0; shard < shards_; ++shard) {
      checkpoint_.files.push_back(shard_path(checkpoint_.path, shard, shards_));
    }
    return {};
  }

  Status add(std::string name, const BundleEntry& entry) {
    StoredTensor tensor;
    tensor.name = std::move(name);
    tensor.type = entry.type;
    tensor.dims = entry.dims;
    if (!element_bytes(entry.type) || is_reference(entry.type)) {
      return fail(Code::kCorrupt, "has the unknown type number {}",
                  static_cast<std::uint32_t>(entry.type));
    }
    if (!count_elements(entry.dims)) {
      return fail(Code::kCorrupt, "has more elements than 63 bits can count");
    }
    if (entry.slices.empty()) {
      TIDELINE_RETURN_IF_ERROR(check_size(entry));
      tensor.pieces.push_back(piece_of(entry));
    } else {
      TIDELINE_RETURN_IF_ERROR(add_slices(entry, tensor));
    }
    checkpoint_.tensors.push_back(std::move(tensor));
    return {};
  }

  static Piece piece_of(const BundleEntry& entry) {
    Piece piece;
    piece.file = static_cast<std::uint32_t>(entry.shard);
    piece.offset = entry.offset;
    piece.bytes = entry.bytes;
    piece.crc = unmask_crc(entry.masked_crc);
    return piece;
  }

  static Status check_size(const BundleEntry& entry) {
    if (element_bytes(entry.type) == 0) return {};  // strings have sizes of their own
    const auto wanted = tensor_content_bytes(entry.type, entry.dims);
    if (wanted && *wanted == entry.bytes) return {};
    return fail(Code::kCorrupt, "{} takes {} bytes; the index says {}",
                describe(entry.type, Shape::of(entry.dims)), wanted.value_or(-1), entry.bytes);
  }

  Status add_slices(const BundleEntry& entry, StoredTensor& tensor) {
    tensor.is_sliced = true;
    if (element_bytes(entry.type) == 0) {
      return fail(Code::kUnsupported, "is partitioned and of type {}; expected one of numbers",
                  element_type_name(entry.type));
    }
    for (const std::vector<SliceExtent>& extents : entry.slices) {
      // Each is taken once: naming one a thousand times is no way to a large tensor.
      const auto found = slices_.extract(slice_key(tensor.name, extents));
      if (found.empty()) {
        return fail(Code::kCorrupt, "names a slice that the index does not have");
      }
      const BundleEntry& slice = found.mapped();
      TIDELINE_RETURN_IF_ERROR(check_size(slice));
      Piece piece = piece_of(slice);
      TIDELINE_RETURN_IF_ERROR(place_slice(entry.dims, extents, piece));
      if (slice.type != entry.type || slice.dims != piece.length) {
        return fail(Code::kCorrupt, "has a slice of another type or shape: {}",
                    describe(slice.type, Shape::of(slice.dims)));
      }
      tensor.pieces.push_back(std::move(piece));
    }
    return {};
  }

  // Bytes belong to one tensor at most, as every known program writes them: a megabyte that a
  // hundred thousand tensors or slices share would be read or written as often.
  Status check_places() const {
    struct Place {
      const Piece* piece;
      const StoredTensor* tensor;
    };
    std::vector<Place> places;
    for (const StoredTensor& tensor : checkpoint_.tensors) {
      for (const Piece& piece : tensor.pieces) {
        if (piece.bytes > 0) places.push_back({&piece, &tensor});
      }
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      return std::tie(a.piece->file, a.piece->offset) < std::tie(b.piece->file, b.piece->offset);
    });
    for (std::size_t i = 1; i < places.size(); ++i) {
      const Piece& before = *places[i - 1].piece;
      const Piece& piece = *places[i].piece;
      if (piece.file != before.file || piece.offset >= before.offset + before.bytes) continue;
      return fail(Code::kCorrupt,
                  "tensor '{}': its bytes from {} on in shard {} are those of tensor '{}', too; "
                  "expected bytes of its own",
                  printable(places[i].tensor->name), piece.offset, piece.file,
                  printable(places[i - 1].tensor->name));
    }
    return {};
  }

  Checkpoint checkpoint_;
  bool has_header_ = false;
  std::int64_t shards_ = 0;
  std::map<std::string, BundleEntry, std::less<>> slices_;
};

Status write_tensor(DataFiles& files, const StoredTensor& tensor, BundleWriter& out,
                    Progress& progress) {
  if (tensor.type == DataType::kString) {
    TIDELINE_TRY(const std::vector<std::string> strings, read_strings(files, tensor));
    return out.add_strings(tensor.name, tensor.dims, strings);
  }
  TIDELINE_RETURN_IF_ERROR(out.begin(tensor.name, tensor.type, tensor.dims));
  TIDELINE_RETURN_IF_ERROR(for_each_part(files, tensor, progress,
                                         [&](std::string_view part) { return out.append(part); }));
  return out.end();
}

Status write_tensor_bundle(const Checkpoint& source, const std::string& prefix, bool replace,
                           Progress& progress) {
  TIDELINE_TRY(BundleWriter out, BundleWriter::create(prefix, replace, source_readers(source)));
  DataFiles files(source);
  std::int64_t done = 0;
  for (const StoredTensor& tensor : source.tensors) {
    if (!progress.report("writing", done++, static_cast<std::int64_t>(source.tensors.size()))) {
      return cancelled();
    }
    TIDELINE_RETURN_IF_ERROR(write_tensor(files, tensor, out, progress));
  }
  return out.commit(progress);
}

Status check_prefix(const std::string& prefix, bool replace) {
  if (std::filesystem::path(prefix).has_filename()) {
    return check_output_path(index_path(prefix), replace);
  }
  return fail(Code::kInvalidArgument, "'{}': expected the prefix of a checkpoint, such as {}ckpt",
              prefix, prefix);
}

// The bytes from `begin` to `end`, which have to be zero.
Status check_gap(const InputFile& file, std::int64_t begin, std::int64_t end, Verification& found,
                 Progress& progress) {
  constexpr std::int64_t kPartBytes = std::int64_t{4} << 20U;
  std::string buffer;
  end = std::min(end, static_cast<std::int64_t>(file.size()));
  for (std::int64_t at = begin; at < end; at += kPartBytes) {
    buffer.resize(static_cast<std::size_t>(std::min(kPartBytes, end - at)));
    const auto got = file.read_at(static_cast<std::size_t>(at), buffer.data(), buffer.size());
    const std::size_t wrong =
        std::string_view(buffer).substr(0, got.value_or(0)).find_first_not_of('\0');
    if (wrong != std::string_view::npos) {
      const std::int64_t offset = at + static_cast<std::int64_t>(wrong);
      found.damages.push_back(
          {"", file.path(), offset, end - offset, -1,
           fmt::format("byte {} belongs to no tensor and is not zero", offset)});
      return {};
    }
    if (!progress.report("verifying", found.bytes, found.bytes)) return cancelled();
  }
  return {};
}

// Bytes between tensors have to be zero, as every known program writes them.
Status check_gaps(DataFiles& files, Verification& found, Progress& progress) {
  const Checkpoint& checkpoint = files.checkpoint();
  std::vector<std::map<std::int64_t, std::int64_t>> taken(checkpoint.files.size());  // to its end
  for (const StoredTensor& tensor : checkpoint.tensors) {
    for (const Piece& piece : tensor.pieces) {
      std::int64_t& end = taken[piece.file][piece.offset];
      end = std::max(end, piece.offset + piece.bytes);
    }
  }
  for (std::size_t file = 0; file < taken.size(); ++file) {
    if (taken[file].empty()) continue;
    const auto opened = InputFile::open(checkpoint.files[file]);
    if (!opened) continue;  // said for each tensor in it
    taken[file].emplace(static_cast<std::int64_t>(opened->size()), 0);
    std::int64_t end = 0;
    for (const auto& [begin, its_end] : taken[file]) {
      TIDELINE_RETURN_IF_ERROR(check_gap(*opened, end, begin, found, progress));
      end = std::max(end, its_end);
    }
  }
  return {};
}

}  // namespace

Result<Checkpoint> parse_tensor_bundle(const std::string& prefix, std::string_view index) {
  IndexReader reader(prefix);
  const Status read = read_table(index, [&](std::string_view key, std::string_view value) {
    return reader.visit(key, value);
  });
  if (!read) return tl::unexpected(with_context(read.error(), index_path(prefix)));
  auto checkpoint = reader.finish();
  if (!checkpoint) return tl::unexpected(with_context(checkpoint.error(), index_path(prefix)));
  return checkpoint;
}

Result<Checkpoint> open_tensor_bundle(const std::string& prefix) {
  TIDELINE_TRY(const SharedBytes index, open_bytes(index_path(prefix)));
  const std::string_view bytes = index->bytes();
  if (const auto foreign =
          io::foreign_file(bytes, bytes, io::FileUse::kCheckpoint, expected_input())) {
    return fail(Code::kInvalidArgument, "{}: {}", index_path(prefix), *foreign);
  }
  return parse_tensor_bundle(prefix, index->bytes());
}

constinit const CheckpointFormat kBundleFormat = {
    .title = "TensorFlow checkpoint",
    .word = "tensorflow",
    .input = "the prefix of a TensorFlow checkpoint, a SavedModel",
    .output = "the prefix of a TensorFlow checkpoint",
    .folder_sign = ".index",
    .open = open_tensor_bundle,
    .check_rest = check_gaps,
    .outputs =
        [](const std::string& path) {
          return std::vector{index_path(path), shard_path(path, 0, 1), shard_path(path, 0, 2)};
        },
    .check_output = check_prefix,
    .write = write_tensor_bundle,
};

}  // namespace tideline::checkpoint
