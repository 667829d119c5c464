// The function library of a file: what is in it, and bodies of functions as graphs.
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

/// The body of the function `name` as the graph of a document: written, it gives the whole file
/// with that body in it. Its arguments are ops of type `_Arg`, its results ops of type `_Retval`.
/// Errors: kNotFound, naming functions like it; kCorrupt for a body that is no graph.
/// Messages begin with the path and name the function.
[[nodiscard]] Result<Document> open_function(const Document& document, const std::string& name,
                                             Cycles cycles = Cycles::kRefuse);

/// The bodies of all functions that can be read; the others are counted in `diagnostics`.
[[nodiscard]] FunctionLibrary read_functions(const Document& document, Diagnostics& diagnostics);

/// `graph`, the opened body or an edit of it, as a file of its own: an encoded GraphDef in which
/// arguments are Placeholder ops and results are Identity ops, with the library and versions of the
/// file around it. Precondition: `body` came from open_function. Errors: kCancelled.
[[nodiscard]] Result<std::string> standalone_graph(const Document& body, const Graph& graph,
                                                   Progress& progress);

}  // namespace tideline::io
