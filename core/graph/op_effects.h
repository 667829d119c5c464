// What running an op can do outside of the process that runs it. From the key `effect` of
// op_facts.txt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

enum class OpEffect : std::uint8_t {
  kReadFiles,   ///< also lists them
  kWriteFiles,  ///< also removes them
  kNetwork,
  kCode,     ///< runs code that is no op of the graph: Python, graphs in tensors, custom calls
  kUnknown,  ///< not said by the table: the type is in no registry that it knows
};

/// For messages: "read files", "run code".
[[nodiscard]] std::string_view effect_name(OpEffect effect);

/// The effects that `op` can have, whatever its inputs are. An attribute that rules them out does
/// count: a PrintV2 without a file has none; and so does a constant without a file's name. Effects
/// of functions that it calls are not its own. A type without a built-in signature has kUnknown,
/// also when the file declares one. Cost: a look-up, for some types a walk over the attributes.
/// Thread: any.
[[nodiscard]] std::vector<OpEffect> op_effects(const Graph& graph, OpId op);

}  // namespace tideline
