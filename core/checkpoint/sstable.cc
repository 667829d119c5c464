// Problem: the index of a checkpoint is a LevelDB table, and it must be trusted not at all.
// Format: blocks one after the other: data blocks, a block about the file ("metaindex", empty in
//   checkpoints), and an index block with one entry a data block: a key not less than the block's
//   last, and the block's place. At the end a footer of 48 bytes says where the last two are.
//   A block holds entries, then the offsets of its restarts (u32 each) and their number (u32); it
//   is followed by its type (0: plain, 1: Snappy) and by the masked CRC-32C of block and type. An
//   entry: varints for the bytes of the key shared with the key before, those not shared, and those
//   of the value; then the rest of the key and the value. At a restart nothing is shared.
// Checks: every checksum, the order of keys and of blocks, the footer's padding: a flipped bit is
//   found wherever it is. Offsets and lengths are compared before they are used.
// Cost: a key may share a megabyte with the one before at the price of three bytes, and an index
//   may name one block a thousand times. So blocks have to lie one behind the other, and all keys
//   together may have kMostKeyGrowth times as many bytes as the file. A writer that restarts every
//   16 entries, as TensorFlow's and LevelDB's do, cannot make more than 16 times as many of a plain
//   table; the rest is for Snappy.
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

constexpr std::size_t kHandlesBytes = 40;
constexpr std::uint64_t kMagic = 0xdb4775248b80fb57ULL;
constexpr std::size_t kBlockBytes = std::size_t{256} << 10U;
constexpr int kRestartInterval = 16;

constexpr std::size_t kMostKeyGrowth = 64;
constexpr std::size_t kLeastKeyBytes = std::size_t{64} << 10U;  // allowed of any table

std::string encode(const BlockHandle& handle) {
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

// With its trailer.
Result<std::string_view> stored_block(std::string_view table, const BlockHandle& handle) {
  TIDELINE_RETURN_IF_ERROR(check_handle(handle, table.size()));
  return table.substr(static_cast<std::size_t>(handle.offset),
                      static_cast<std::size_t>(handle.size) + kBlockTrailerBytes);
}

// Visits the entries of the data blocks, one after the other.
class TableReader {
 public:
  TableReader(std::string_view table, const TableVisitor& visit)
      : table_(table), visit_(visit), key_bytes_left_(most_key_bytes(table.size())) {}

  Status read_block(const BlockHandle& handle, std::string_view limit) {
    TIDELINE_TRY(const std::string_view stored, stored_block(table_, handle));
    TIDELINE_TRY(const std::string_view block, open_block(stored, handle.offset, unpacked_));
    BlockCursor cursor(block, handle.offset);
    std::string last = std::move(last_key_);
    for (bool is_first = true;; is_first = false) {
      TIDELINE_TRY(const bool is_there, cursor.next());
      if (!is_there) break;
      if (is_first && has_any_ && cursor.key() <= last) {
        return fail(Code::kCorrupt, "the keys of the block at byte {} do not ascend",
                    handle.offset);
      }
      has_any_ = true;
      if (cursor.key().size() > key_bytes_left_) return too_many_key_bytes();
      key_bytes_left_ -= cursor.key().size();
      TIDELINE_RETURN_IF_ERROR(visit_(cursor.key(), cursor.value()));
    }
    last_key_ = cursor.key().empty() ? std::move(last) : cursor.key();
    if (has_any_ && std::string_view(last_key_) > limit) {
      return fail(Code::kCorrupt, "the block at byte {} holds keys beyond its place",
                  handle.offset);
    }
    return {};
  }

 private:
  std::string_view table_;
  const TableVisitor& visit_;
  std::size_t key_bytes_left_;
  bool has_any_ = false;
  std::string last_key_;
  std::string unpacked_;
};

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
    const std::string handle = encode(BlockHandle{table.size(), bytes_.size()});
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
  return file.size() >= kTableFooterBytes &&
         from_little_endian(file.substr(file.size() - 8)) == kMagic;
}

std::size_t most_key_bytes(std::size_t table_bytes) {
  return kMostKeyGrowth * table_bytes + kLeastKeyBytes;
}

tl::unexpected<Error> too_many_key_bytes() {
  return fail(Code::kCorrupt,
              "its keys have more than {} times as many bytes as the file, because they share most "
              "of them; expected at most 16 times as many, as every known program writes",
              kMostKeyGrowth);
}

Status check_handle(const BlockHandle& handle, std::size_t table_bytes) {
  const std::size_t room = table_bytes - kTableFooterBytes;
  if (handle.offset <= room && handle.size <= room - handle.offset &&
      room - handle.offset - handle.size >= kBlockTrailerBytes) {
    return {};
  }
  return fail(Code::kCorrupt, "a block of {} bytes at byte {} reaches beyond the file", handle.size,
              handle.offset);
}

Result<TableFooter> parse_footer(std::string_view end_of_table, std::size_t table_bytes) {
  if (!ends_like_table(end_of_table)) {
    return fail(Code::kCorrupt,
                "does not end like an index of a checkpoint: it is cut, or something else");
  }
  const std::string_view handles =
      end_of_table.substr(end_of_table.size() - kTableFooterBytes, kHandlesBytes);
  const char* at = handles.data();
  const char* end = at + handles.size();
  TableFooter footer;
  // Encoded again they are the same: a varint has longer forms, which a flipped bit can make.
  if (!read_handle(at, end, footer.about) || !read_handle(at, end, footer.index) ||
      footer_of(encode(footer.about) + encode(footer.index)) != handles) {
    return fail(Code::kCorrupt, "the footer at byte {} is damaged",
                table_bytes - kTableFooterBytes);
  }
  return footer;
}

Status read_index_block(std::string_view block, const BlockHandle& index,
                        const std::function<Status(const std::string&, const BlockHandle&)>& each) {
  BlockCursor cursor(block, index.offset);
  std::uint64_t end_before = 0;
  while (true) {
    TIDELINE_TRY(const bool is_there, cursor.next());
    if (!is_there) return {};
    BlockHandle handle;
    const char* start = cursor.value().data();
    if (!read_handle(start, start + cursor.value().size(), handle)) return bad_entry(index.offset);
    if (handle.offset < end_before) {
      return fail(Code::kCorrupt,
                  "the block at byte {} is named after one that ends at byte {}; expected blocks "
                  "one behind the other",
                  handle.offset, end_before);
    }
    TIDELINE_RETURN_IF_ERROR(each(cursor.key(), handle));
    end_before = handle.offset + handle.size + kBlockTrailerBytes;
  }
}

Status read_table(std::string_view table, const TableVisitor& visit) {
  TIDELINE_TRY(const TableFooter footer, parse_footer(table, table.size()));
  TIDELINE_TRY(const std::string_view about, stored_block(table, footer.about));
  TIDELINE_TRY(const std::string_view index, stored_block(table, footer.index));
  std::string unpacked;
  TIDELINE_RETURN_IF_ERROR(open_block(about, footer.about.offset, unpacked));
  TIDELINE_TRY(const std::string_view content, open_block(index, footer.index.offset, unpacked));
  TableReader reader(table, visit);
  return read_index_block(content, footer.index,
                          [&](const std::string& limit, const BlockHandle& handle) {
                            return reader.read_block(handle, limit);
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
