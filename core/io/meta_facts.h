// What the collections of a MetaGraphDef say.
#pragma once

#include <string_view>

#include "core/graph/collections.h"

namespace tideline::io {

/// Collections in the fields of a MetaGraphDef. Precondition: the bytes passed the wire check.
void read_collections(std::string_view meta_graph_fields, Collections& collections);

}  // namespace tideline::io
