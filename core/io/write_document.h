// Writes documents to files; unchanged parts are copied byte for byte.
#pragma once

#include <string_view>

#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/io/document.h"
#include "core/io/graph_format.h"

namespace tideline::io {

/// A sink that adds to `bytes`, which must outlive it.
[[nodiscard]] inline Sink append_to(std::string& bytes) {
  return [&bytes](std::string_view piece) -> Status {
    bytes += piece;
    return {};
  };
}

/// Writes `graph` (the document's, or an edit of it) with the document's surroundings to `out`. Ops
/// that share their bytes with the document are copied; an unedited document is written byte for
/// byte in its own binary format. Deterministic. Errors: those of `out`; kUnsupported for an
/// unknown field that the text form cannot represent; kCancelled. Cost: O(bytes).
[[nodiscard]] Status write_document(const Document& document, const Graph& graph,
                                    OutputFormat format, const Sink& out, Progress& progress);
/// The innermost message alone, which holds the ops: Document::graph_bytes of what write_document
/// writes in binary form. Errors: those of `out`; kCancelled.
[[nodiscard]] Status write_graph_message(const Document& document, const Graph& graph,
                                         const Sink& out, Progress& progress);
/// The same as write_document to a file. Errors: also kIo.
[[nodiscard]] Status write_document(const Document& document, const Graph& graph,
                                    OutputFormat format, OutputFile& out, Progress& progress);

}  // namespace tideline::io
