// Reads TensorFlow checkpoints of version 1: tables that hold graph-independent lists of tensors
// and their values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// Opens the tables `files`, the shards of one checkpoint, called `path` in what is shown. Of the
/// values only strings are read. Errors: kNotFound, kIo; kCorrupt for a file that is no such table,
/// for shards that contradict one another; kUnsupported. Messages begin with the path of a file.
[[nodiscard]] Result<Checkpoint> open_table_checkpoint(const std::string& path,
                                                       std::vector<std::string> files);

/// Whether a table with this `value` under the empty key is a checkpoint of version 1, and not the
/// index of one of version 2.
[[nodiscard]] bool is_table_checkpoint(std::string_view value);

}  // namespace tideline::checkpoint
