// The NodeCodec of the wire format: attributes decoded on demand from the spans of the file.
#pragma once

#include "core/graph/node_codec.h"

namespace tideline::io {

/// The one instance. Thread: stateless.
[[nodiscard]] const NodeCodec& wire_codec();

}  // namespace tideline::io
