// Source: LevelDB, doc/table_format.md; TensorFlow 2.15, table_options.h, which knows the
// compressions 0 (none) and 1 (Snappy) and no others; Snappy, format_description.txt.
// Tested by: tests/unit/checkpoint/sstable_test.cc.
#include "core/checkpoint/table_block.h"

#include <snappy-c.h>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/io/wire.h"

namespace tideline::checkpoint {
namespace {

constexpr unsigned kPlain = 0;
constexpr unsigned kSnappy = 1;
// The longest copy of Snappy makes 64 bytes of three; a literal makes fewer.
constexpr std::size_t kMostSnappyGrowth = 22;

// What the types are called in the programs that write them, none of which is TensorFlow.
const char* compression_hint(unsigned type) {
  switch (type) {
    case 2: return "zstd in LevelDB, zlib in RocksDB";
    case 3: return "bzip2 in RocksDB";
    case 4:
    case 5: return "LZ4 in RocksDB";
    case 7: return "zstd in RocksDB";
    default: return "unknown";
  }
}

Result<std::string_view> unpack(std::string_view packed, std::uint64_t offset,
                                std::string& unpacked) {
  std::size_t size = 0;
  if (snappy_uncompressed_length(packed.data(), packed.size(), &size) != SNAPPY_OK ||
      size > kMostSnappyGrowth * packed.size()) {
    return fail(Code::kCorrupt,
                "the block of {} bytes at byte {} is none that Snappy made: it says that it "
                "unpacks to {} bytes",
                packed.size(), offset, size);
  }
  unpacked.resize(size);
  if (snappy_uncompress(packed.data(), packed.size(), unpacked.data(), &size) != SNAPPY_OK) {
    return fail(Code::kCorrupt, "the block at byte {} does not unpack by Snappy", offset);
  }
  return std::string_view(unpacked).substr(0, size);
}

}  // namespace

bool read_handle(const char*& at, const char* end, BlockHandle& handle) {
  return io::read_varint(at, end, handle.offset) && io::read_varint(at, end, handle.size);
}

Result<std::string_view> open_block(std::string_view stored, std::uint64_t offset,
                                    std::string& unpacked) {
  if (stored.size() < kBlockTrailerBytes) return bad_entry(offset);
  const std::size_t size = stored.size() - kBlockTrailerBytes;
  const auto wanted = static_cast<std::uint32_t>(from_little_endian(stored.substr(size + 1)));
  if (mask_crc(crc32c(stored.substr(0, size + 1))) != wanted) {
    return fail(Code::kCorrupt,
                "the block of {} bytes at byte {} does not match its checksum: the file is damaged "
                "there",
                stored.size(), offset);
  }
  const std::string_view content = stored.substr(0, size);
  const unsigned type = static_cast<unsigned char>(stored[size]);
  if (type == kPlain) return content;
  if (type == kSnappy) return unpack(content, offset, unpacked);
  return fail(Code::kUnsupported,
              "the block at byte {} is compressed in a way that TensorFlow does not know: type {} "
              "({}); expected 0 (not compressed) or 1 (Snappy)",
              offset, type, compression_hint(type));
}

tl::unexpected<Error> bad_entry(std::uint64_t offset) {
  return fail(Code::kCorrupt, "the block at byte {} holds an entry that does not parse", offset);
}

BlockCursor::BlockCursor(std::string_view block, std::uint64_t offset) : offset_(offset) {
  // The restarts are for searching; whoever visits all entries needs only their number.
  constexpr std::size_t kRestartBytes = 4;
  is_damaged_ = block.size() < kRestartBytes;
  if (is_damaged_) return;
  const std::uint64_t restarts = from_little_endian(block.substr(block.size() - kRestartBytes));
  is_damaged_ = restarts > block.size() / kRestartBytes - 1;
  if (is_damaged_) return;
  at_ = block.data();
  end_ = at_ + block.size() - kRestartBytes * (restarts + 1);
}

Result<bool> BlockCursor::next() {
  if (is_damaged_) return bad_entry(offset_);
  if (at_ == end_) return false;
  std::uint64_t shared = 0;
  std::uint64_t rest = 0;
  std::uint64_t size = 0;
  if (!io::read_varint(at_, end_, shared) || !io::read_varint(at_, end_, rest) ||
      !io::read_varint(at_, end_, size)) {
    return bad_entry(offset_);
  }
  const auto left = static_cast<std::size_t>(end_ - at_);
  if (shared > key_.size() || rest > left || size > left - rest) return bad_entry(offset_);
  // Only what is not shared is looked at and copied.
  const std::string_view tail(at_, static_cast<std::size_t>(rest));
  if (!is_first_ && tail <= std::string_view(key_).substr(static_cast<std::size_t>(shared))) {
    return fail(Code::kCorrupt, "the keys of the block at byte {} do not ascend", offset_);
  }
  is_first_ = false;
  key_.resize(static_cast<std::size_t>(shared));
  key_.append(tail);
  at_ += rest;
  value_ = {at_, static_cast<std::size_t>(size)};
  at_ += size;
  return true;
}

}  // namespace tideline::checkpoint
