// Formats of one file each, which prove that a format is a file and a line in a table.
#pragma once

#include "core/checkpoint/format.h"
#include "core/io/graph_format.h"

namespace tideline::toy {

extern const io::GraphFormat kGraphFormat;
extern const checkpoint::CheckpointFormat kCheckpointFormat;

}  // namespace tideline::toy
