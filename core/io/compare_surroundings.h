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
};
[[nodiscard]] SurroundingsDiff compare_surroundings(const Document& original,
                                                    const Document& rewritten);

}  // namespace tideline::io
