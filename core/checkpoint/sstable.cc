// Problem: the index of a checkpoint is a LevelDB table, and it must be trusted not at all.
// Format: blocks one after the other: data blocks, a block about the file ("metaindex", empty in
//   checkpoints), and an index block with one entry a data block: a key not less than the block's
//   last, and the block's place. At the end a footer of 48 bytes says where the last two are.
//   A block holds entries, then the offsets of its restarts (u32 each) and their number (u32); it
//   is followed by its type (0: plain) and by the masked CRC-32C of block and type. An entry:
//   varints for the bytes of the key shared with the key before, those not shared, and those of the
//   value; then the rest of the key and the value. At a restart nothing is shared.
// Checks: every checksum, the order of keys, the footer's padding: a flipped bit is found wherever
//   it is. Offsets and lengths are compared before they are used.
// Source: LevelDB, doc/table_format.md; TensorFlow 2.15, table_builder.cc (256 KiB a
//   block, restarts every 16 entries, no compression).
// Tested by: tests/unit/checkpoint/sstable_test.cc.
#include "core/checkpoint/sstable.h"

#include <algorithm>
#include <cstdint>

#include "core/base/bytes.h"
#include "core/base/crc32c.h"
#include "core/io/wire.h"

namespace tideline::checkpoint {
namespace {

constexpr std::size_t kFooterBytes = 48;
constexpr std::size_t kHandlesBytes = 40;
constexpr std::uint64_t kMagic = 0xdb4775248b80fb57ULL;
constexpr std::size_t kTrailerBytes = 5;  // type and checksum
constexpr std::size_t kBlockBytes = std::size_t{256} << 10U;
constexpr int kRestartInterval = 16;

struct Handle {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

bool read_handle(const char*& at, const char* end, Handle& handle) {
  return io::read_varint(at, end, handle.offset) && io::read_varint(at, end, handle.size);
}

std::string encode(const Handle& handle) {
  std::string bytes;
  io::append_varint(bytes, handle.offset);
  io::append_varint(bytes, handle.size);
  return bytes;
}

// Both handles, padded; without the magic number.
std::string footer_of(std::string handles) {
  handles.resize(kHandlesBytes);
  return handles;
}

Result<std::string_view> block_at(std::string_view table, const Handle& handle) {
  const std::size_t room = table.size() - kFooterBytes;
  if (handle.offset > room || handle.size > room - handle.offset ||
      room - handle.offset - handle.size < kTrailerBytes) {
    return fail(Code::kCorrupt, "a block of {} bytes at byte {} reaches beyond the index",
                handle.size, handle.offset);
  }
  const auto offset = static_cast<std::size_t>(handle.offset);
  const auto size = static_cast<std::size_t>(handle.size);
  const auto stored =
      static_cast<std::uint32_t>(from_little_endian(table.substr(offset + size + 1, 4)));
  if (mask_crc(crc32c(table.substr(offset, size + 1))) != stored) {
    return fail(Code::kCorrupt,
                "the block of {} bytes at byte {} does not match its checksum: the index is "
                "damaged there",
                size + kTrailerBytes, offset);
  }
  if (table[offset + size] != 0) {
    return fail(Code::kUnsupported,
                "the block at byte {} is compressed (type {}); expected a plain one, as "
                "TensorFlow writes",
                offset, static_cast<int>(static_cast<unsigned char>(table[offset + size])));
  }
  return table.substr(offset, size);
}

tl::unexpected<Error> bad_entry(std::uint64_t offset) {
  return fail(Code::kCorrupt, "the block at byte {} holds an entry that does not parse", offset);
}

// `key` is the last key of the table before this block, and afterwards the last one of the block.
Status read_block(std::string_view block, std::uint64_t offset, std::string& key, bool& is_first,
                  const TableVisitor& visit) {
  if (block.size() < 4) return bad_entry(offset);
  const std::uint64_t restarts = from_little_endian(block.substr(block.size() - 4));
  if (restarts > block.size() / 4 - 1) return bad_entry(offset);
  const char* at = block.data();
  const char* end = at + block.size() - 4 * (restarts + 1);
  std::string next;
  while (at < end) {
    std::uint64_t shared = 0;
    std::uint64_t rest = 0;
    std::uint64_t size = 0;
    if (!io::read_varint(at, end, shared) || !io::read_varint(at, end, rest) ||
        !io::read_varint(at, end, size)) {
      return bad_entry(offset);
    }
    const auto left = static_cast<std::size_t>(end - at);
    if (shared > key.size() || rest > left || size > left - rest) return bad_entry(offset);
    next.assign(key, 0, static_cast<std::size_t>(shared));
    next.append(at, static_cast<std::size_t>(rest));
    if (!is_first && next <= key) {
      return fail(Code::kCorrupt, "the keys of the block at byte {} do not ascend", offset);
    }
    is_first = false;
    key.swap(next);
    at += rest;
    TIDELINE_RETURN_IF_ERROR(visit(key, {at, static_cast<std::size_t>(size)}));
    at += size;
  }
  return {};
}

// The shortest key that is not less than `last` and less than `next`.
std::string separator(const std::string& last, const std::string& next) {
  const std::size_t least = std::min(last.size(), next.size());
  std::size_t same = 0;
  while (same < least && last[same] == next[same]) ++same;
  if (same >= least) return last;
  const auto byte = static_cast<unsigned char>(last[same]);
  if (byte < 0xff && byte + 1 < static_cast<unsigned char>(next[same])) {
    return last.substr(0, same) + static_cast<char>(byte + 1);
  }
  return last;
}

// A short key that is not less than `last`.
std::string successor(const std::string& last) {
  for (std::size_t i = 0; i < last.size(); ++i) {
    const auto byte = static_cast<unsigned char>(last[i]);
    if (byte != 0xff) return last.substr(0, i) + static_cast<char>(byte + 1);
  }
  return last;
}

class BlockWriter {
 public:
  explicit BlockWriter(int restart_interval) : interval_(restart_interval) {}

  void add(std::string_view key, std::string_view value) {
    std::size_t shared = 0;
    if (since_restart_ < interval_) {
      const std::size_t least = std::min(last_.size(), key.size());
      while (shared < least && last_[shared] == key[shared]) ++shared;
    } else {
      restarts_.push_back(static_cast<std::uint32_t>(bytes_.size()));
      since_restart_ = 0;
    }
    io::append_varint(bytes_, shared);
    io::append_varint(bytes_, key.size() - shared);
    io::append_varint(bytes_, value.size());
    bytes_.append(key.substr(shared));
    bytes_.append(value);
    last_ = key;
    ++since_restart_;
  }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  [[nodiscard]] std::size_t size() const { return bytes_.size() + 4 * restarts_.size() + 4; }

  // Appends the block with its trailer to `table`; returns its handle, encoded.
  std::string finish(std::string& table) {
    for (const std::uint32_t restart : restarts_) append_little_endian(bytes_, restart);
    append_little_endian(bytes_, static_cast<std::uint32_t>(restarts_.size()));
    const std::string handle = encode({table.size(), bytes_.size()});
    bytes_ += '\0';
    append_little_endian(bytes_, mask_crc(crc32c(bytes_)));
    table += bytes_;
    *this = BlockWriter(interval_);
    return handle;
  }

 private:
  int interval_;
  int since_restart_ = 0;
  std::string bytes_;
  std::string last_;
  std::vector<std::uint32_t> restarts_ = {0};
};

}  // namespace

bool ends_like_table(std::string_view file) {
  return file.size() >= kFooterBytes && from_little_endian(file.substr(file.size() - 8)) == kMagic;
}

Status read_table(std::string_view table, const TableVisitor& visit) {
  if (!ends_like_table(table)) {
    return fail(Code::kCorrupt,
                "does not end like an index of a checkpoint: it is cut, or something else");
  }
  const std::string_view footer = table.substr(table.size() - kFooterBytes, kHandlesBytes);
  const char* at = footer.data();
  const char* end = at + footer.size();
  Handle about;
  Handle index;
  // Encoded again they are the same: a varint has longer forms, which a flipped bit can make.
  if (!read_handle(at, end, about) || !read_handle(at, end, index) ||
      footer_of(encode(about) + encode(index)) != footer) {
    return fail(Code::kCorrupt, "the footer at byte {} is damaged", table.size() - kFooterBytes);
  }
  TIDELINE_RETURN_IF_ERROR(block_at(table, about));
  TIDELINE_TRY(const std::string_view index_block, block_at(table, index));
  std::string index_key;
  std::string key;
  bool is_first_index = true;
  bool is_first = true;
  return read_block(
      index_block, index.offset, index_key, is_first_index,
      [&](std::string_view limit, std::string_view value) -> Status {
        Handle handle;
        const char* start = value.data();
        if (!read_handle(start, value.data() + value.size(), handle)) {
          return bad_entry(index.offset);
        }
        TIDELINE_TRY(const std::string_view block, block_at(table, handle));
        TIDELINE_RETURN_IF_ERROR(read_block(block, handle.offset, key, is_first, visit));
        if (!is_first && std::string_view(key) > limit) {
          return fail(Code::kCorrupt, "the block at byte {} holds keys beyond its place",
                      handle.offset);
        }
        return {};
      });
}

std::string write_table(const std::map<std::string, std::string>& entries) {
  std::string table;
  BlockWriter block(kRestartInterval);
  BlockWriter index(1);
  const std::string* last = nullptr;
  std::string waiting;  // the handle of the last block, until the next key is known
  for (const auto& [key, value] : entries) {
    if (!waiting.empty()) {
      index.add(separator(*last, key), waiting);
      waiting.clear();
    }
    block.add(key, value);
    last = &key;
    if (block.size() >= kBlockBytes) waiting = block.finish(table);
  }
  if (!block.empty()) waiting = block.finish(table);
  const std::string about = BlockWriter(kRestartInterval).finish(table);
  if (!waiting.empty()) index.add(successor(*last), waiting);
  std::string footer = footer_of(about + index.finish(table));
  append_little_endian(footer, kMagic);
  return table + footer;
}

}  // namespace tideline::checkpoint
