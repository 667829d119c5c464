// Trainable variables that can be told by the optimizer's ops alone.
#pragma once

#include <optional>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

class GraphFacts;

/// The variables whose role is trainable (variable_roles.h), in file order, where this is plain
/// without the passes: optimizer ops update them, and no other write can depend on a gradient.
/// Nullopt where it takes the passes to tell. Cost: O(ops + edges), a small part of that of
/// GraphFacts::variables(). Thread: pure.
[[nodiscard]] std::optional<std::vector<OpId>> find_applied_variables(const GraphFacts& facts);

}  // namespace tideline
