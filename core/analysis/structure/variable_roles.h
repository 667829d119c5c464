// What each variable of a graph is: learned, kept by an optimizer for a learned one, or neither.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/structure/phases.h"
#include "core/graph/consumers.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"

namespace tideline {

enum class VariableRole : std::uint8_t {
  kTrainable,  ///< an optimizer writes it, and the forward pass reads it
  kSlot,       ///< an optimizer's own variable for one trainable variable
  kShared,     ///< an optimizer's own variable for all of them: powers of beta, steps
  kModel,      ///< the forward pass reads or writes it and no optimizer does: moving averages
  kOther,
};

/// "trainable", "slot", "shared", "model", "other".
[[nodiscard]] const char* role_name(VariableRole role);

/// A variable and who uses it. Lists are in file order.
struct VariableUse {
  OpId variable;  ///< VariableV2, VarHandleOp; in a function also an argument that is a handle
  VariableRole role = VariableRole::kOther;
  std::vector<OpId> reads;    ///< ops that hand its value on
  std::vector<OpId> assigns;  ///< initialization, restoring, moving averages
  std::vector<OpId> updates;  ///< writes with what became of a gradient
  std::vector<OpId> slots;    ///< variables that the optimizer keeps for it
  OpId slot_of;               ///< the inverse
};

/// In file order. Optimizer op types say what their slots are; where a step is written out in
/// single ops, a variable that the update writes, that no forward op reads, and that goes into the
/// write of a trainable one is its slot. Names and collections play no part. Cost: O(ops + edges);
/// the search from one write is bounded. Thread: pure.
[[nodiscard]] std::vector<VariableUse> find_variable_roles(const Graph& graph,
                                                           const Consumers& consumers,
                                                           const OpFactsTable& facts,
                                                           const Phases& phases);

}  // namespace tideline
