// Tested by unit/checkpoint/table_checkpoint_test.cc.
#include "core/checkpoint/table_file.h"

#include <algorithm>

namespace tideline::checkpoint {

Result<TableFile> TableFile::open(const std::string& path) {
  TIDELINE_TRY(InputFile file, InputFile::open(path));
  TableFile table(std::move(file));
  if (Status read = table.read_index(); !read) {
    return tl::unexpected(with_context(std::move(read).error(), path));
  }
  return table;
}

Status TableFile::read_index() {
  const std::size_t size = file_.size();
  std::string end(std::min(size, kTableFooterBytes), '\0');
  TIDELINE_TRY(const std::size_t got, file_.read_at(size - end.size(), end.data(), end.size()));
  end.resize(got);
  TIDELINE_TRY(const TableFooter footer, parse_footer(end, size));
  TIDELINE_RETURN_IF_ERROR(read_block(footer.about));
  TIDELINE_TRY(const std::string_view index, read_block(footer.index));
  std::size_t key_bytes_left = most_key_bytes(size);
  return read_index_block(index, footer.index,
                          [&](const std::string& limit, const BlockHandle& handle) -> Status {
                            TIDELINE_RETURN_IF_ERROR(check_handle(handle, size));
                            if (limit.size() > key_bytes_left) return too_many_key_bytes();
                            key_bytes_left -= limit.size();
                            blocks_.push_back({limit, handle, false});
                            return {};
                          });
}

Result<std::string_view> TableFile::read_block(const BlockHandle& handle) {
  TIDELINE_RETURN_IF_ERROR(check_handle(handle, file_.size()));
  stored_.resize(static_cast<std::size_t>(handle.size) + kBlockTrailerBytes);
  TIDELINE_TRY(const std::size_t got, file_.read_at(static_cast<std::size_t>(handle.offset),
                                                    stored_.data(), stored_.size()));
  if (got < stored_.size()) return changed_while_read(file_.path());
  TIDELINE_RETURN_IF_ERROR(file_.check_unchanged());
  return open_block(stored_, handle.offset, unpacked_);
}

Status TableFile::go_to_block(std::size_t block) {
  current_.reset();
  TIDELINE_TRY(const std::string_view content, read_block(blocks_[block].handle));
  blocks_[block].was_read = true;
  cursor_ = BlockCursor(content, blocks_[block].handle.offset);
  current_ = block;
  is_at_entry_ = false;
  return {};
}

Status TableFile::check_block(std::size_t block) {
  TIDELINE_RETURN_IF_ERROR(go_to_block(block));
  while (true) {
    TIDELINE_TRY(const bool is_there, cursor_.next());
    if (!is_there) break;
  }
  current_.reset();
  return {};
}

Result<std::optional<std::string_view>> TableFile::find(std::string_view key) {
  const auto at = std::lower_bound(
      blocks_.begin(), blocks_.end(), key,
      [](const Block& block, std::string_view wanted) { return block.limit < wanted; });
  if (at == blocks_.end()) return std::optional<std::string_view>();
  const auto block = static_cast<std::size_t>(at - blocks_.begin());
  // A key before the cursor is looked for from the beginning.
  if (current_ != block || (is_at_entry_ && cursor_.key() > key)) {
    TIDELINE_RETURN_IF_ERROR(go_to_block(block));
  }
  while (!is_at_entry_ || cursor_.key() < key) {
    TIDELINE_TRY(is_at_entry_, cursor_.next());
    if (!is_at_entry_) {
      current_.reset();
      return std::optional<std::string_view>();
    }
  }
  if (cursor_.key() != key) return std::optional<std::string_view>();
  return std::optional<std::string_view>(cursor_.value());
}

}  // namespace tideline::checkpoint
