// Reads GraphDebugInfo: TensorFlow's tracebacks of the ops of graphs and functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/graph/source_lines.h"
#include "core/io/document.h"

namespace tideline::io {

/// By the name of an op, "op" or "op@function", the innermost line of its traceback that is the
/// user's (is_library_file); ops without such a line are left out.
struct DebugInfo {
  std::vector<SourceLine> lines;  ///< each one once
  std::unordered_map<std::string, std::uint32_t> line_of;
};

/// Decodes a GraphDebugInfo in either of its forms (traces of frames, or numbers of shared ones),
/// binary or text. A trace begins with the outermost frame, as TensorFlow writes them.
/// Errors: kCorrupt, naming the field: damaged bytes, and indices and numbers of nothing.
/// Cost: O(bytes).
[[nodiscard]] Result<DebugInfo> decode_debug_info(std::string_view bytes);

/// The same for a file; messages begin with the path. Errors: also those of open_bytes.
[[nodiscard]] Result<DebugInfo> read_debug_info(const std::string& path);

/// The file that TensorFlow writes into a SavedModel with save_debug_info=True, or one beside a
/// graph file that has its name and ".debug_info.pb"; empty when there is none, and for a link
/// that leads out of the folder.
/// Cost: a look at the file system.
[[nodiscard]] std::string debug_info_beside(const Document& document);

/// The field of the GraphDef with such a message, also around the body of a function; empty
/// without.
[[nodiscard]] std::string_view debug_info_inside(const Document& document);

}  // namespace tideline::io
