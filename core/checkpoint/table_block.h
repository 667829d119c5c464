// A block of a sorted table: its checksum, its compression and its entries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::checkpoint {

/// Where a block lies in the table, without its trailer.
struct BlockHandle {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Bytes of the type and the checksum that follow a block.
inline constexpr std::size_t kBlockTrailerBytes = 5;

/// Reads two varints; false when they do not parse.
[[nodiscard]] bool read_handle(const char*& at, const char* end, BlockHandle& handle);

/// The content of the block `stored`, with its trailer, which lies at byte `offset` of the table:
/// a part of `stored` or, if it was compressed, of `unpacked`. Errors: kCorrupt for a wrong
/// checksum and for what does not unpack; kUnsupported for a compression that TensorFlow does not
/// know. Cost: O(bytes), in memory too: Snappy makes at most 22 times as many bytes.
[[nodiscard]] Result<std::string_view> open_block(std::string_view stored, std::uint64_t offset,
                                                  std::string& unpacked);

/// Walks over the entries of a block. Cost: O(bytes of the block) for all of them, however long the
/// keys are that they share. Thread: not shared.
class BlockCursor {
 public:
  BlockCursor() = default;
  /// `offset` is where the block lies in the table, for messages.
  BlockCursor(std::string_view block, std::uint64_t offset);

  /// Goes to the next entry; false at the end. Errors: kCorrupt for what does not parse and for
  /// keys that do not ascend.
  [[nodiscard]] Result<bool> next();
  /// Of the entry that `next` found. Valid until the next call, as long as the block.
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] std::string_view value() const { return value_; }

 private:
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t offset_ = 0;
  bool is_damaged_ = false;
  bool is_first_ = true;
  std::string key_;
  std::string_view value_;
};

/// The error for an entry that does not parse, of the block at byte `offset`.
[[nodiscard]] tl::unexpected<Error> bad_entry(std::uint64_t offset);

}  // namespace tideline::checkpoint
