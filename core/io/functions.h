// The function library of a file: a list of functions, and their bodies as graphs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.h"
#include "core/base/progress.h"
#include "core/graph/function_library.h"
#include "core/io/document.h"

namespace tideline::io {

/// The encoded FunctionDefs of `document`, in file order.
[[nodiscard]] std::vector<std::string_view> encoded_functions(const Document& document);

struct FunctionInfo {
  std::string name;
  std::int64_t ops = 0;
  std::int64_t arguments = 0;
  std::int64_t results = 0;
};
/// All functions, in file order. Cost: one walk over the library.
[[nodiscard]] std::vector<FunctionInfo> list_functions(const Document& document);

/// The body of the function `name` as the graph of a document; writing the document writes the
/// whole file with that body. Arguments are ops of type `_Arg`, results ops of type `_Retval`.
/// Errors: kNotFound, suggesting similar names, also for an empty name; kCorrupt for a body that is
/// not a valid graph. Messages begin with the path and name the function. Cost: O(bytes of the
/// library).
[[nodiscard]] Result<Document> open_function(const Document& document, const std::string& name,
                                             Cycles cycles = Cycles::kRefuse);

/// The bodies of all functions that can be read; the others are counted in `diagnostics`.
/// Cost: O(bytes of the library).
[[nodiscard]] FunctionLibrary read_functions(const Document& document, Diagnostics& diagnostics);

/// `graph`, the opened body or an edit of it, as a stand-alone encoded GraphDef: arguments become
/// Placeholder ops and results Identity ops, and library and versions of the file are included.
/// Precondition: `body` came from open_function. Errors: kCancelled.
[[nodiscard]] Result<std::string> standalone_graph(const Document& body, const Graph& graph,
                                                   Progress& progress);

}  // namespace tideline::io
