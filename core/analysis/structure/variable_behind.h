// Which variable an op reads or writes.
#pragma once

#include <cstdint>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

/// The op that input `slot` of `op` is a handle of or a reference to, behind views, loops' entries
/// and writes that hand it on. Invalid without such an input. Cost: O(1).
[[nodiscard]] OpId variable_behind(const Graph& graph, const OpFactsTable& facts, OpId op,
                                   std::uint32_t slot);

}  // namespace tideline
