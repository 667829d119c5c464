// A sorted table in a file, read block by block.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/progress.h"
#include "core/checkpoint/sstable.h"

namespace tideline::checkpoint {

/// Holds the index and one block in memory. A block is never used before its checksum was compared.
/// Messages of `open` begin with the path. Thread: not shared.
class TableFile {
 public:
  /// Reads the index. Errors: kNotFound, kIo, kCorrupt, kUnsupported.
  [[nodiscard]] static Result<TableFile> open(const std::string& path);

  [[nodiscard]] std::size_t size() const { return file_.size(); }

  /// The value of `key`, valid until the next call; nullopt if there is none. Errors: kIo,
  /// kCorrupt. Cost: O(bytes) for all keys of the table, if they are asked for in their order.
  [[nodiscard]] Result<std::optional<std::string_view>> find(std::string_view key);
  /// Checks the blocks that `find` has not read. Calls `each` with the offset of every one that is
  /// damaged, and the error. Errors: kCancelled.
  template <typename Each>
  [[nodiscard]] Status check_rest(Progress& progress, const Each& each) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!progress.report("verifying", static_cast<std::int64_t>(i),
                           static_cast<std::int64_t>(blocks_.size()))) {
        return cancelled();
      }
      if (blocks_[i].was_read) continue;
      if (const Status read = check_block(i); !read) each(blocks_[i].handle.offset, read.error());
    }
    return {};
  }

 private:
  struct Block {
    std::string limit;  ///< no key in it is greater
    BlockHandle handle;
    bool was_read = false;
  };

  explicit TableFile(InputFile file) : file_(std::move(file)) {}
  [[nodiscard]] Status read_index();
  // Reads the block with its trailer, and unpacks it.
  [[nodiscard]] Result<std::string_view> read_block(const BlockHandle& handle);
  [[nodiscard]] Status go_to_block(std::size_t block);
  [[nodiscard]] Status check_block(std::size_t block);

  InputFile file_;
  std::vector<Block> blocks_;
  std::optional<std::size_t> current_;  // the block that cursor_ is in
  std::string stored_;
  std::string unpacked_;
  BlockCursor cursor_;
  bool is_at_entry_ = false;
};

}  // namespace tideline::checkpoint
