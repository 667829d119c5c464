// Functions written as the text form of graphs (graph_text.h).
#pragma once

#include <initializer_list>
#include <utility>

#include "core/graph/function_library.h"
#include "tests/support/graph_text.h"

namespace tideline::test {

/// Name and body of each. Ops of type _Arg must come first and _Retval last.
[[nodiscard]] inline FunctionLibrary functions(
    std::initializer_list<std::pair<const char*, const char*>> bodies) {
  FunctionLibrary library;
  for (const auto& [name, text] : bodies) {
    Function& function = library.functions[name];
    function.body = read_graph(text).graph;
    for (const OpId op : function.body.ops()) {
      if (function.body.type(op) == "_Arg") function.arguments.push_back(op);
      if (function.body.type(op) == "_Retval") function.results.push_back(op);
    }
  }
  return library;
}

}  // namespace tideline::test
