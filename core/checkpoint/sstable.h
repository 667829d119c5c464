// Sorted tables of keys and values in the format of LevelDB, as a checkpoint's index is one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/checkpoint/table_block.h"

namespace tideline::checkpoint {

/// Called for each entry, keys ascending. Both are valid during the call only.
using TableVisitor = std::function<Status(std::string_view key, std::string_view value)>;

/// Checks the whole table, checksums of all blocks included, and visits every entry. Stops at the
/// first error of `visit`.
/// Errors: kCorrupt, with the offset of the damage, also for a table that would take much more than
/// its own size (sstable.cc); kUnsupported for blocks compressed by anything but Snappy.
/// Cost: O(bytes), and at most 64 times as many bytes of keys.
[[nodiscard]] Status read_table(std::string_view table, const TableVisitor& visit);

/// A table of `entries`, byte for byte as TensorFlow 2.15 writes it.
[[nodiscard]] std::string write_table(const std::map<std::string, std::string>& entries);

/// Whether `file` ends like a table.
[[nodiscard]] bool ends_like_table(std::string_view file);

// For who reads a table block by block (table_file.h).
inline constexpr std::size_t kTableFooterBytes = 48;

struct TableFooter {
  BlockHandle about;
  BlockHandle index;
};
/// `end_of_table`: at least the last kTableFooterBytes of `table_bytes`. Errors: kCorrupt.
[[nodiscard]] Result<TableFooter> parse_footer(std::string_view end_of_table,
                                               std::size_t table_bytes);
/// Whether a block lies within a table, before its footer. Errors: kCorrupt.
[[nodiscard]] Status check_handle(const BlockHandle& handle, std::size_t table_bytes);
/// How many bytes all keys of a table may have together, and the error beyond (sstable.cc).
[[nodiscard]] std::size_t most_key_bytes(std::size_t table_bytes);
[[nodiscard]] tl::unexpected<Error> too_many_key_bytes();
/// Calls `each` with every data block that the content of the index block at `index` names, and
/// with a key that none in it exceeds. Errors: kCorrupt for blocks that do not lie one behind the
/// other.
[[nodiscard]] Status read_index_block(
    std::string_view block, const BlockHandle& index,
    const std::function<Status(const std::string& limit, const BlockHandle& handle)>& each);

}  // namespace tideline::checkpoint
