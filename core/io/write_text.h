// Writes graphs in text form.
#pragma once

#include <string_view>

#include "core/io/write_document.h"

namespace tideline::io {

/// Writes a GraphDef or MetaGraphDef op by op: only one op is in memory at a time, and its text
/// never. Errors: as write_document.
[[nodiscard]] Status write_flat_text(const Document& document, const Graph& graph, Format format,
                                     const Sink& out, Progress& progress);

/// Writes an encoded message of `format`, converted as a whole. Errors: as write_document.
[[nodiscard]] Status write_nested_text(std::string_view wire, Format format, const Sink& out);

}  // namespace tideline::io
