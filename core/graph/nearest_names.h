// Suggests names for one that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// The entries of `names` most like `wanted`, best first, at most `most`; of equally good ones the
/// first. Upper and lower case are alike; none where nothing is alike.
/// Cost: O(length of all names). Thread: pure.
[[nodiscard]] std::vector<std::string> nearest_names(const std::vector<std::string_view>& names,
                                                     std::string_view wanted, std::size_t most = 3);

/// What follows in a message the name of an op, a tensor, a scope or a type that does not exist:
/// " (nearest: 'a', 'b')", or nothing. Scopes are all prefixes of op names that end before a slash.
[[nodiscard]] std::string nearest_ops(const Graph& graph, std::string_view wanted);
[[nodiscard]] std::string nearest_scopes(const Graph& graph, std::string_view wanted);
[[nodiscard]] std::string nearest_types(const Graph& graph, std::string_view wanted);

}  // namespace tideline
