// Reads checkpoints of several safetensors files, which a file of JSON keeps together.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

namespace tideline::checkpoint {

/// How such a file is called, and how its name ends in any case.
inline constexpr std::string_view kSafetensorsIndexName = "model.safetensors.index.json";
inline constexpr std::string_view kSafetensorsIndexEnding = ".safetensors.index.json";

/// Opens the files that the index `path` names, all of which lie in its folder. Its tensors are
/// those that the index lists. Errors: kNotFound for a file that is missing, with a tensor that it
/// should have; kCorrupt for an index that does not parse or names what its file does not have;
/// those of open_safetensors. Messages begin with a path. Source: the transformers library, which
/// writes {"metadata": {...}, "weight_map": {TENSOR: FILE}}.
[[nodiscard]] Result<Checkpoint> open_sharded_safetensors(const std::string& path);

}  // namespace tideline::checkpoint
