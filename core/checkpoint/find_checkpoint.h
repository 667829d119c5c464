// Which files a path stands for, when somebody names a checkpoint.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// Opens what `path` names: the prefix of a TensorFlow checkpoint, with its step or without (then
/// the highest), or any of its files, the .meta and the file "checkpoint" too; a folder with these;
/// a SavedModel; a file or a folder of another format (format.h). What a file is is found from its
/// content. The file "checkpoint" of a foreign folder leads to no file outside of that folder. What
/// was chosen without being named is in the notes. Only names, types and places are read, and
/// strings of TensorFlow's version 1. Errors: kNotFound, also when one half is there, saying which;
/// kInvalidArgument, kCorrupt, kUnsupported, kIo. Messages begin with a path.
[[nodiscard]] Result<Checkpoint> open_checkpoint(const std::string& path);

/// Whether `path`, which may be a prefix, names a checkpoint, its .meta and a folder left aside:
/// those are graphs as well, and hold other things. Cost: that of looking at
/// names and at beginnings and ends of files.
[[nodiscard]] bool names_checkpoint(const std::string& path);

/// Whether a file of this name makes the folder where it lies one with a checkpoint.
[[nodiscard]] bool marks_checkpoint(std::string_view name);

}  // namespace tideline::checkpoint
