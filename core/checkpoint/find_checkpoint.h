// Which files a path stands for, when somebody names a checkpoint.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tideline::checkpoint {

struct FoundCheckpoint {
  enum class Kind : std::uint8_t {
    kBundle,              ///< TensorFlow's version 2; `path` is its prefix
    kTables,              ///< TensorFlow's version 1; `files` are its tables
    kSafetensors,         ///< one file
    kShardedSafetensors,  ///< the JSON file that says which files hold what
    kNpyFolder,
    kNpz,
  };
  Kind kind = Kind::kBundle;
  std::string path;
  std::vector<std::string> files;
  /// What was chosen without being named, a sentence each, for whoever named the path.
  std::vector<std::string> notes;
};

/// Finds what `path` names: the prefix of a TensorFlow checkpoint, with its step or without (then
/// the highest), or any of its files, the .meta and the file "checkpoint" too; a folder with these;
/// a SavedModel; a safetensors file or the index of several; a folder of .npy files or an .npz
/// archive. What a file is is found from its content. Looks at names and at beginnings and ends of
/// files. The file "checkpoint" of a foreign folder leads to no file outside of that folder.
/// Errors: kNotFound, also when one half is there, saying which; kInvalidArgument, kCorrupt, kIo.
/// Messages begin with a path.
[[nodiscard]] Result<FoundCheckpoint> find_checkpoint(const std::string& path);

/// Whether `path`, which may be a prefix, names a checkpoint, its .meta and a folder left aside:
/// those are graphs as well, and hold other things. Cost: as find_checkpoint.
[[nodiscard]] bool names_checkpoint(const std::string& path);

}  // namespace tideline::checkpoint
