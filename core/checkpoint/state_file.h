// TensorFlow's file "checkpoint", which says what the latest checkpoint of a folder is.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline::checkpoint {

/// The prefix that `text`, a CheckpointState message in text form, has as model_checkpoint_path: as
/// it is written there, so perhaps relative to the file's folder. Escapes of every kind and strings
/// in several parts are understood. Errors: kCorrupt when there is none, without a path.
/// Source: TensorFlow 2.15, checkpoint_state.proto; the text format's specification at
/// protobuf.dev.
[[nodiscard]] Result<std::string> parse_state_file(std::string_view text);

}  // namespace tideline::checkpoint
