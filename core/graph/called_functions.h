// Which functions of a library an op calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/function_library.h"
#include "core/graph/graph.h"

namespace tideline {

struct CalledFunction {
  std::string attribute;  ///< "then_branch", "body"; empty: the op's type names the function
  std::string name;       ///< of the function

  friend bool operator==(const CalledFunction&, const CalledFunction&) = default;
};

/// The functions of `library` that the op's type or attributes name, attributes in file order, each
/// function once. Attributes that cannot be decoded name none. Cost: a walk over the attributes of
/// the op. Thread: pure.
[[nodiscard]] std::vector<CalledFunction> called_functions(const Graph& graph, OpId op,
                                                           const FunctionLibrary& library);

}  // namespace tideline
