// Opens a checkpoint of any format.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// Opens what `path` names (find_checkpoint.h). Only names, types and places are read, and strings
/// of TensorFlow's version 1. Errors: kNotFound, kIo; kCorrupt; kUnsupported; kInvalidArgument.
/// Messages begin with a path.
[[nodiscard]] Result<Checkpoint> open_checkpoint(const std::string& path);

}  // namespace tideline::checkpoint
