// The functions of a file as graphs, for analyses that follow calls.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/attr_value.h"
#include "core/graph/graph.h"

namespace tideline {

/// The body of one function. Arguments are ops of type `_Arg`, before all others and named like the
/// argument; results are ops of type `_Retval`, after all others with one input each. Neither is
/// written to a file.
struct Function {
  Graph body;
  std::vector<OpId> arguments;  ///< `_Arg` ops, by argument
  std::vector<OpId> results;    ///< `_Retval` ops, by result
  /// Ops that a call waits for besides its results, so that they run though nothing reads them.
  std::vector<OpId> control_results = {};
  Attributes attributes = {};  ///< of the function itself; one that cannot be decoded is kNone
};

/// Functions by name. A function that could not be read as a graph is not in it.
struct FunctionLibrary {
  std::map<std::string, Function, std::less<>> functions;

  /// Null when there is no such function.
  [[nodiscard]] const Function* find(std::string_view name) const {
    const auto entry = functions.find(name);
    return entry == functions.end() ? nullptr : &entry->second;
  }
};

}  // namespace tideline
