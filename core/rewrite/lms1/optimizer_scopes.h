// The scopes of a graph that --optimizer-scopes is meant for.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace tideline::lms1 {

/// Scopes that hold ops of the backward pass or updates, and no op of the forward pass; of nested
/// ones the outermost. Those with the most ops of the backward pass come first. Cost: that of
/// find_phases. Thread: pure.
[[nodiscard]] std::vector<std::string> find_optimizer_scopes(const Graph& graph);

/// The same as the end of a message: " The backward phase is in the scopes: 'gradients', 'Adam'."
/// Empty when there are none.
[[nodiscard]] std::string optimizer_scopes_text(const Graph& graph);

}  // namespace tideline::lms1
