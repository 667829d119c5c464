// Sorted tables of keys and values in the format of LevelDB, as a checkpoint's index is one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::checkpoint {

/// Called for each entry, keys ascending. `key` is valid during the call only; `value` points into
/// the table.
using TableVisitor = std::function<Status(std::string_view key, std::string_view value)>;

/// Checks the whole table, checksums of all blocks included, and visits every entry. Stops at the
/// first error of `visit`.
/// Errors: kCorrupt, with the offset of the damage; kUnsupported for compressed blocks, which
/// TensorFlow does not write. Cost: O(bytes).
[[nodiscard]] Status read_table(std::string_view table, const TableVisitor& visit);

/// A table of `entries`, byte for byte as TensorFlow 2.15 writes it.
[[nodiscard]] std::string write_table(const std::map<std::string, std::string>& entries);

/// Whether `file` ends like a table.
[[nodiscard]] bool ends_like_table(std::string_view file);

}  // namespace tideline::checkpoint
