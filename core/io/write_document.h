// Graphs to files: in the format of the name, untouched parts byte for byte.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/output_file.h"
#include "core/base/progress.h"
#include "core/io/document.h"

namespace tideline::io {

/// What a file name asks for: .pb, .pbtxt or .meta.
struct OutputFormat {
  Format format = Format::kGraph;
  Encoding encoding = Encoding::kBinary;
};
/// Errors: kInvalidArgument for any other name. A MetaGraph in text form stays one as .pbtxt.
[[nodiscard]] Result<OutputFormat> output_format_of(const std::string& path,
                                                    const Document& document);

/// What the format of the output cannot hold, as sentences for the user; empty when nothing is
/// lost.
[[nodiscard]] std::vector<std::string> losses(const Document& document, OutputFormat format);

/// Appends `graph` (the document's, or an edit of it) with the document's surroundings to `out`.
/// Ops that share their bytes with the document are copied; in the binary form of the same format
/// an unedited document comes out byte for byte. Deterministic. Errors: kIo; kUnsupported when text
/// cannot hold an unknown field; kCancelled.
[[nodiscard]] Status write_document(const Document& document, const Graph& graph,
                                    OutputFormat format, OutputFile& out, Progress& progress);

/// Takes the next piece of the bytes that are written.
using Sink = std::function<Status(std::string_view)>;

/// Hands the encoded GraphDef of `graph` with the document's surroundings to `sink`: what
/// `write_document` writes as a .pb. Errors: those of `sink`; kCancelled.
[[nodiscard]] Status write_graph_def(const Document& document, const Graph& graph, const Sink& sink,
                                     Progress& progress);
/// How many bytes that are. Cost: one pass over the ops.
[[nodiscard]] std::uint64_t graph_def_size(const Document& document, const Graph& graph);

}  // namespace tideline::io
