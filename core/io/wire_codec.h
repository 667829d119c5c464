// The NodeCodec of the wire format, which decodes attributes on demand from spans of the file.
#pragma once

#include "core/graph/node_codec.h"

namespace tideline::io {

/// The only instance. Thread: any (stateless).
[[nodiscard]] const NodeCodec& wire_codec();

}  // namespace tideline::io
