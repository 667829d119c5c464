// A format of checkpoints. A new one is a file or a folder, and a line in formats.cc.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

class DataFiles;
struct Verification;

/// Members that do not apply to a format, and functions for what it cannot do, are empty or null.
struct CheckpointFormat {
  std::string_view title = {};   ///< "safetensors file"
  std::string_view word = {};    ///< of `checkpoint convert --to`
  std::string_view input = {};   ///< where readable ones are listed: "a safetensors file"
  std::string_view output = {};  ///< where written ones are listed: "a .safetensors file"
  /// How names of outputs end: ".safetensors". A name that ends in none of all is a prefix.
  std::array<std::string_view, 2> endings = {};
  std::string_view sure_ending = {};     ///< a file with it is of this format, whatever is in it
  std::string_view file_in_folder = {};  ///< the name of one in a folder: "model.safetensors"
  std::string_view folder_sign = {};     ///< a folder with a file that ends so is of this format
  bool has_foreign_types = false;        ///< StoredTensor::foreign_type

  /// Whether a file that begins with `head`, at most 4096 bytes, is of this format.
  bool (*is_file)(std::string_view head) = nullptr;
  bool (*is_folder)(const std::string& folder) = nullptr;
  /// Reads names, types and places. Messages begin with a path.
  Result<Checkpoint> (*open)(const std::string& path) = nullptr;
  /// Verifies what belongs to no tensor, when all tensors were read. Errors: kCancelled.
  Status (*check_rest)(DataFiles& files, Verification& found, Progress& progress) = nullptr;

  /// Files of the checkpoint `path`, the one that says what there is first; null: `path` alone.
  std::vector<std::string> (*outputs)(const std::string& path) = nullptr;
  [[nodiscard]] std::string main_file(const std::string& path) const {
    return outputs == nullptr ? path : outputs(path).front();
  }
  /// Checks whether `write` would refuse `path` as things are now.
  Status (*check_output)(const std::string& path, bool replace) = nullptr;
  /// Writes all tensors of `source`, whole or not at all. A format without it is only read.
  Status (*write)(const Checkpoint& source, const std::string& path, bool replace,
                  Progress& progress) = nullptr;
};

/// All formats, in the order in which they are tried (formats.cc).
[[nodiscard]] std::span<const CheckpointFormat* const> formats();
/// Those of this program, each in the file of its name.
extern const CheckpointFormat kBundleFormat, kTableFormat, kSafetensorsFormat,
    kShardedSafetensorsFormat, kNpzFormat, kNpyFolderFormat;

/// The texts that formats have as `member`, "safetensors" and so on.
[[nodiscard]] std::vector<std::string> texts_of(std::string_view CheckpointFormat::*member);
/// "expected the prefix of a TensorFlow checkpoint, a SavedModel, a safetensors file or ...".
[[nodiscard]] std::string expected_input();
/// "the prefix of a TensorFlow checkpoint, a .safetensors file, or a folder ...".
[[nodiscard]] std::string expected_output();

}  // namespace tideline::checkpoint
