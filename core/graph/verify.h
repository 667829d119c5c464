// Checks of whole-graph properties that the arrays of a Graph do not enforce.
#pragma once

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline {

/// Errors: kCorrupt when data and control edges, except NextIteration -> Merge, form a cycle; the
/// message lists its ops. Cost: O(ops) when the file is in topological order, else O(ops + edges).
[[nodiscard]] Status verify_acyclic(const Graph& graph);

}  // namespace tideline
