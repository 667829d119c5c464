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
#include <map>

#include "core/base/crc32c.h"
#include "core/base/source_bytes.h"
#include "core/base/text.h"
#include "core/checkpoint/bundle_entry.h"
#include "core/checkpoint/sstable.h"
#include "core/graph/element_type.h"
#include "core/io/foreign_files.h"

namespace tideline::checkpoint {
namespace {

constexpr std::int64_t kVersion = 1;         // of TensorFlow's format
constexpr std::int64_t kMostShards = 99999;  // file names have five digits

class IndexReader {
 public:
  explicit IndexReader(std::string prefix) { checkpoint_.path = std::move(prefix); }

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
      const auto found = slices_.find(slice_key(tensor.name, extents));
      if (found == slices_.end()) {
        return fail(Code::kCorrupt, "names a slice that the index does not have");
      }
      const BundleEntry& slice = found->second;
      TIDELINE_RETURN_IF_ERROR(check_size(slice));
      Piece piece = piece_of(slice);
      TIDELINE_RETURN_IF_ERROR(place(entry, extents, piece));
      if (slice.type != entry.type || slice.dims != piece.length) {
        return fail(Code::kCorrupt, "has a slice of another type or shape: {}",
                    describe(slice.type, Shape::of(slice.dims)));
      }
      tensor.pieces.push_back(std::move(piece));
    }
    return {};
  }

  static Status place(const BundleEntry& entry, const std::vector<SliceExtent>& extents,
                      Piece& piece) {
    if (extents.size() != entry.dims.size()) {
      return fail(Code::kCorrupt, "has a slice of {} dimensions; expected {}", extents.size(),
                  entry.dims.size());
    }
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const std::int64_t size = entry.dims[i];
      const bool is_all = extents[i].length < 0;
      const std::int64_t start = is_all ? 0 : extents[i].start;
      const std::int64_t length = is_all ? size : extents[i].length;
      if (start < 0 || length > size || start > size - length) {
        return fail(Code::kCorrupt, "has a slice from {} on with {} of {} elements", start, length,
                    size);
      }
      piece.start.push_back(start);
      piece.length.push_back(length);
    }
    return {};
  }

  Checkpoint checkpoint_;
  bool has_header_ = false;
  std::int64_t shards_ = 0;
  std::map<std::string, BundleEntry, std::less<>> slices_;
};

}  // namespace

std::string index_path(const std::string& prefix) {
  return prefix + ".index";
}

std::string shard_path(const std::string& prefix, std::int64_t shard, std::int64_t shards) {
  return fmt::format("{}.data-{:05}-of-{:05}", prefix, shard, shards);
}

std::optional<ShardName> parse_shard_name(std::string_view path) {
  constexpr std::string_view kTemplate = ".data-00000-of-00000";
  if (path.size() < kTemplate.size()) return std::nullopt;
  const std::string_view end = path.substr(path.size() - kTemplate.size());
  ShardName name;
  name.prefix = path.substr(0, path.size() - kTemplate.size());
  for (std::size_t i = 0; i < end.size(); ++i) {
    const bool is_digit = end[i] >= '0' && end[i] <= '9';
    if (kTemplate[i] != '0' ? end[i] != kTemplate[i] : !is_digit) return std::nullopt;
    if (kTemplate[i] != '0') continue;
    std::int64_t& number = i < kTemplate.find("-of") ? name.shard : name.shards;
    number = 10 * number + (end[i] - '0');
  }
  return name;
}

std::string_view prefix_of_file(std::string_view path) {
  constexpr std::string_view kIndex = ".index";
  if (path.ends_with(kIndex)) return path.substr(0, path.size() - kIndex.size());
  const auto shard = parse_shard_name(path);
  return shard ? shard->prefix : std::string_view();
}

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
  if (const auto foreign = io::foreign_file(bytes, bytes, io::FileUse::kCheckpoint)) {
    return fail(Code::kInvalidArgument, "{}: {}", index_path(prefix), *foreign);
  }
  return parse_tensor_bundle(prefix, index->bytes());
}

}  // namespace tideline::checkpoint
