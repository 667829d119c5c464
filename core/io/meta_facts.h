// Reads the collections of a MetaGraphDef.
#pragma once

#include <string_view>

#include "core/graph/collections.h"

namespace tideline::io {

/// Decodes the collections in the fields of a MetaGraphDef. Precondition: the bytes passed the wire
/// check. Cost: O(bytes).
void read_collections(std::string_view meta_graph_fields, Collections& collections);

}  // namespace tideline::io
