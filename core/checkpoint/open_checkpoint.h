// Opens a checkpoint of any format.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// Opens what `path` names: the prefix of a TensorFlow checkpoint, or one of its files; a
/// safetensors file; a folder of .npy files; the folder of a SavedModel, whose variables are a
/// checkpoint; a folder with TensorFlow's file "checkpoint", which names the latest. What a file is
/// is found from its content. Only names, types and places are read.
/// Errors: kNotFound, kIo; kCorrupt; kUnsupported. Messages begin with a path.
[[nodiscard]] Result<Checkpoint> open_checkpoint(const std::string& path);

}  // namespace tideline::checkpoint
