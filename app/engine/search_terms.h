// The words of a search for ops, each as a test of an op.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "app/engine/opened_graph.h"
#include "core/base/error.h"

namespace tideline::app {

using OpTest = std::function<bool(OpId)>;

/// One test for each word of `query`, as search_ops has them. Precondition: `graph` outlives them.
/// Errors: kInvalidArgument for a word that begins as a special one and cannot be read as such,
/// with what was expected. Thread: pure.
[[nodiscard]] Result<std::vector<OpTest>> search_terms(const OpenedGraph& graph,
                                                       std::string_view query);

}  // namespace tideline::app
