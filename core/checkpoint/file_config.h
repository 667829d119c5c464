// The configuration of backends that write files: where checkpoints go, and which of them stay.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/format.h"
#include "core/checkpoint/removed_files.h"

namespace tideline::checkpoint {

/// A prefix (of safetensors: a file), or a JSON object {"path": PREFIX, "async": false,
/// "incremental": false, "keep_last": 0, "keep_every": 0}. In the last part of a prefix "{step}"
/// stands for the step of training.
struct FileConfig {
  std::string path;
  const CheckpointFormat* format = &kBundleFormat;
  bool is_async = false;
  bool is_incremental = false;  ///< of TensorFlow checkpoints alone
  std::int64_t keep_last = 0;   ///< 0: all stay
  std::int64_t keep_every = 0;  ///< steps that are multiples of it stay beside those; 0: none do

  [[nodiscard]] bool has_steps() const;
};

/// Errors: kInvalidArgument, naming the field and what was expected.
[[nodiscard]] Result<FileConfig> parse_file_config(std::string_view text,
                                                   const CheckpointFormat& format);

/// The prefix of `step`. Errors: kInvalidArgument when the path has "{step}" and the step is
/// unknown.
[[nodiscard]] Result<std::string> prefix_of_step(const FileConfig& config, std::int64_t step);
/// The prefix of the checkpoint to load: of `step`, or of the highest step for -1. Errors:
/// kNotFound.
[[nodiscard]] Result<std::string> prefix_to_load(const FileConfig& config, std::int64_t step);
/// The steps of which there is a checkpoint, ascending.
[[nodiscard]] std::vector<std::int64_t> saved_steps(const FileConfig& config);

/// After a save: names the checkpoint of `step` and those that stay in TensorFlow's file
/// "checkpoint", so that tf.train.latest_checkpoint finds it (not for safetensors), and then
/// removes those that the configuration does not keep, each index before its data; the checkpoint
/// of `step` always stays. Data files that are removed are given, still open, to `removed` if that
/// is not null. Errors: kIo.
[[nodiscard]] Status finish_step(const FileConfig& config, std::int64_t step,
                                 RemovedFiles* removed = nullptr);

}  // namespace tideline::checkpoint
