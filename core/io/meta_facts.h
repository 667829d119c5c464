// Reads the collections of a MetaGraphDef, and what it says of its savers.
#pragma once

#include <string_view>

#include "core/graph/collections.h"

namespace tideline::io {

/// Decodes the collections in the fields of a MetaGraphDef, and the names in its savers
/// (saver_names.h). Precondition: the bytes passed the wire check. Cost: O(bytes).
void read_collections(std::string_view meta_graph_fields, Collections& collections);

}  // namespace tideline::io
