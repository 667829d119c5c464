// Whether two documents agree in what surrounds their ops.
#pragma once

#include <string>
#include <vector>

#include "core/io/document.h"

namespace tideline::io {

/// Differences in function library, versions, other fields of the GraphDef and, when both are
/// MetaGraphs, collections and all other fields; what can not be compared is in `not_compared`.
struct SurroundingsDiff {
  std::vector<std::string> violations;
  std::vector<std::string> not_compared;
  bool collections_compared = false;
  /// Functions that both libraries have under the same name and that say different things. Whether
  /// the change is sound is a question about their bodies, see same_function_fields.
  std::vector<std::string> changed_functions;
};
[[nodiscard]] SurroundingsDiff compare_surroundings(const Document& original,
                                                    const Document& rewritten);

/// Whether two opened functions agree in everything but their ops and what their results read.
[[nodiscard]] bool same_function_fields(const Document& original, const Document& rewritten);

}  // namespace tideline::io
