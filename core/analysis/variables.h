// The variables of a graph, and the trainable ones among them.
#pragma once

#include <vector>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/error.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Variable ops in file order. `trainable` are those of the collection "trainable_variables";
/// without a MetaGraph, those whose role is trainable (structure/variable_roles.h): the forward
/// pass reads them, and they are written with values that depend on the backward pass. These may be
/// handles that are passed in: placeholders, or arguments of a function. `all` are those of the
/// collection "variables"; without it every op of a variable type.
struct Variables {
  std::vector<OpId> all;
  std::vector<OpId> trainable;
};

/// Errors: kNotFound when a collection names an op that does not exist. Cost: O(ops); without
/// collections O(ops + edges), and that of facts.variables() where optimizer ops do not tell
/// (structure/applied_variables.h). Thread: pure.
[[nodiscard]] Result<Variables> find_variables(const GraphFacts& facts,
                                               const Collections& collections);

/// Bytes of the values of the trainable ones. Errors: those of find_variables and VariableValues.
/// Cost: theirs. Thread: pure.
[[nodiscard]] Result<Bytes> trainable_bytes(const GraphFacts& facts, const Collections& collections,
                                            const TensorTable& tensors);

}  // namespace tideline
