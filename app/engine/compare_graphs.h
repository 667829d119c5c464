// Compares two documents: their ops, their functions and what lies around both.
#pragma once

#include "core/base/error.h"
#include "core/io/compare_surroundings.h"
#include "core/io/document.h"
#include "core/rewrite/plan/diff.h"

namespace tideline::app {

struct GraphComparison {
  GraphDiff diff;  ///< of the ops; those of functions are named "function: op"
  io::SurroundingsDiff surroundings;

  /// Every op of the first document computes the same from the same values in the second one.
  [[nodiscard]] bool has_same_values() const {
    return diff.violations.empty() && surroundings.violations.empty();
  }
  [[nodiscard]] bool is_equal() const { return diff.is_equal() && surroundings.violations.empty(); }
};

/// Compares. A cycle in `rewritten` is a violation. Errors: those of open_function and
/// compare_companions. Cost: that of diff_graphs and compare_surroundings, and for functions that
/// differ, of opening them. Thread: pure.
[[nodiscard]] Result<GraphComparison> compare_documents(const io::Document& original,
                                                        const io::Document& rewritten);

/// The same for an edit of the document's graph, which leaves everything else as it is.
[[nodiscard]] GraphComparison compare_edit(const Graph& original, const Graph& rewritten);

}  // namespace tideline::app
