// Graphs to files: untouched parts byte for byte.
#pragma once

#include <functional>
#include <string_view>

#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/io/document.h"
#include "core/io/output_format.h"

namespace tideline::io {

/// Takes the bytes of a file, piece by piece.
using Sink = std::function<Status(std::string_view)>;

/// Hands `graph` (the document's, or an edit of it) with the document's surroundings to `out`.
/// Ops that share their bytes with the document are copied; in the binary form of the same format
/// an unedited document comes out byte for byte. Deterministic. Errors: those of `out`;
/// kUnsupported when text cannot hold an unknown field; kCancelled.
[[nodiscard]] Status write_document(const Document& document, const Graph& graph,
                                    OutputFormat format, const Sink& out, Progress& progress);
/// The same into a file. Errors: kIo.
[[nodiscard]] Status write_document(const Document& document, const Graph& graph,
                                    OutputFormat format, OutputFile& out, Progress& progress);

}  // namespace tideline::io
