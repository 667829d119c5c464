// The verbs below `checkpoint`, which look at checkpoints without TensorFlow.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::cli {

void add_checkpoint_ls(const Command& checkpoint, Action& action);
void add_checkpoint_stat(const Command& checkpoint, Action& action);
void add_checkpoint_cat(const Command& checkpoint, Action& action);
void add_checkpoint_verify(const Command& checkpoint, Action& action);
void add_checkpoint_diff(const Command& checkpoint, Action& action);
void add_checkpoint_convert(const Command& checkpoint, Action& action);
void add_checkpoint_backends(const Command& checkpoint, Action& action);

/// Adds the argument that names a checkpoint: PREFIX, a file or a folder.
void add_checkpoint_path(const Command& command, const std::string& name, std::string& path);

/// open_checkpoint; what it chose without being told is said on standard error.
[[nodiscard]] Result<checkpoint::Checkpoint> open_named_checkpoint(const std::string& path);

/// Name, dtype and shape, as all verbs print them.
[[nodiscard]] nlohmann::ordered_json tensor_json(const checkpoint::StoredTensor& tensor);

}  // namespace tideline::cli
