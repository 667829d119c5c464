// What flows between the closed boxes of the scopes view.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/view/scope_layout.h"

namespace tideline::render {

/// The edges between boxes, sorted by `from`, then `to`. `placed_of` is by op; edges of ops in none
/// (0) are left out. A tensor counts once for each box that reads it. Cost: O(ops + edges + n log
/// n) in edges between boxes. Thread: pure.
[[nodiscard]] std::vector<ScopeEdge> find_scope_edges(const Scene& scene,
                                                      std::span<const std::uint32_t> placed_of);

}  // namespace tideline::render
