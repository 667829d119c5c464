// The role of each variable: trainable, a slot of an optimizer, or something else.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

class GraphFacts;  // graph_facts.h, which keeps what is found here

enum class VariableRole : std::uint8_t {
  kTrainable,  ///< an optimizer writes it, and the forward pass reads it
  kSlot,       ///< an optimizer's own variable for one trainable variable
  kShared,     ///< an optimizer's own variable for all of them: powers of beta, steps
  kModel,      ///< the forward pass reads or writes it and no optimizer does: moving averages
  kOther,
};

/// "trainable", "slot", "shared", "model", "other".
[[nodiscard]] const char* role_name(VariableRole role);

/// A variable and its uses. Lists are in file order.
struct VariableUse {
  OpId variable;  ///< VariableV2, VarHandleOp; in a function also an argument that is a handle
  VariableRole role = VariableRole::kOther;
  std::vector<OpId> reads;    ///< ops that read its value; calls that do are among them, as below
  std::vector<OpId> assigns;  ///< initialization, restoring, moving averages
  std::vector<OpId> updates;  ///< writes of values derived from gradients
  std::vector<OpId> slots;    ///< variables that the optimizer keeps for it
  OpId slot_of;               ///< for a slot, the variable it is kept for
};

/// All variables, in file order. The types of optimizer ops declare their slots; if an optimizer
/// is composed of elementary ops, a variable is a slot of a trainable one when the update writes
/// it, no forward op reads it, and its value is used in the write of the trainable one. Called
/// functions are looked into, argument by argument: a step may have its update, its forward pass or
/// all of itself in one. Names and collections are not used. Cost: O(ops + edges), and as much for
/// the bodies of functions that write variables; the search from one write is bounded.
/// Thread: pure.
[[nodiscard]] std::vector<VariableUse> find_variable_roles(const GraphFacts& facts);

}  // namespace tideline
