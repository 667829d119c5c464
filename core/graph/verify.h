// Statements about a whole graph that its arrays do not enforce by themselves.
#pragma once

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace tideline {

/// Errors: kCorrupt when data and control edges, but for NextIteration -> Merge, form a cycle; the
/// message walks along it. Cost: O(ops) when the file is in topological order, else O(ops + edges).
[[nodiscard]] Status verify_acyclic(const Graph& graph);

}  // namespace tideline
