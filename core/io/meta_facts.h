// What the fields around the GraphDef say: collections, and op types that the file declares itself.
#pragma once

#include <string_view>
#include <vector>

#include "core/graph/collections.h"
#include "core/graph/op_signature.h"

namespace tideline::io {

/// Collections in the fields of a MetaGraphDef. Precondition: the bytes passed the wire check.
void read_collections(std::string_view meta_graph_fields, Collections& collections);

/// Signatures of the op types in the MetaInfoDef of a MetaGraphDef.
[[nodiscard]] std::vector<OpSignature> read_declared_ops(std::string_view meta_graph_fields);

/// Signatures of the functions in an encoded FunctionDefLibrary: a call names its function as type.
[[nodiscard]] std::vector<OpSignature> read_function_signatures(std::string_view library);

}  // namespace tideline::io
