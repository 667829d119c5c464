// The names that variables have in their graph, where a checkpoint has other keys.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/checkpoint/data_files.h"

namespace tideline::checkpoint {

/// By the name of a variable in its graph: the key of its tensor in the checkpoint, as TensorFlow's
/// object graph says (the tensor _CHECKPOINTABLE_OBJECT_GRAPH, a TrackableObjectGraph). Empty
/// for checkpoints without one, whose keys are the names. Errors: those of read_strings; kCorrupt.
[[nodiscard]] Result<std::map<std::string, std::string>> keys_by_variable(DataFiles& files);
/// The same for the encoded message.
[[nodiscard]] Result<std::map<std::string, std::string>> parse_object_graph(
    std::string_view message);

}  // namespace tideline::checkpoint
