// A format of one file, which proves that a format is a file and a line in a table.
#pragma once

#include "core/checkpoint/format.h"

namespace tideline::toy {

extern const checkpoint::CheckpointFormat kCheckpointFormat;

}  // namespace tideline::toy
