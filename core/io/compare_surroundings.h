// Compares everything in two documents other than their ops.
#pragma once

#include <string>
#include <vector>

#include "core/io/document.h"

namespace tideline::io {

/// Differences in function library, versions, other fields of the GraphDef and, if both are
/// MetaGraphs, collections and all other fields. `not_compared` names what could not be compared.
struct SurroundingsDiff {
  std::vector<std::string> violations;
  std::vector<std::string> not_compared;
  bool collections_compared = false;
  /// Functions of the same name in both libraries that differ. Their bodies have to be compared as
  /// graphs, see same_function_fields.
  std::vector<std::string> changed_functions;
};
/// Compares. Cost: O(bytes of the surroundings), parsed where they differ. Thread: pure.
[[nodiscard]] SurroundingsDiff compare_surroundings(const Document& original,
                                                    const Document& rewritten);

/// Whether two opened functions agree except for their ops and the tensors of their results.
[[nodiscard]] bool same_function_fields(const Document& original, const Document& rewritten);

}  // namespace tideline::io
