// Which ops are variables, and which of them are learned.
#pragma once

#include <vector>

#include "core/base/units.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Variable ops in file order. `trainable` are those of the collection "trainable_variables";
/// without a MetaGraph, those that an optimizer updates: input 0, traced back through Identity,
/// Enter and Switch, of every (Resource)(Sparse)Apply* op, and of AssignSub-like ops behind a
/// gradient; inside a function these may be arguments. `all` are those of the collection
/// "variables"; without it every op of a variable type.
struct Variables {
  std::vector<OpId> all;
  std::vector<OpId> trainable;
};

/// Errors: kNotFound when a collection names an op that does not exist.
[[nodiscard]] Result<Variables> find_variables(const Graph& graph, const Collections& collections);

/// Bytes of the values of `variables` (of a resource variable: of the value behind the handle, for
/// an argument as far as the function says it).
[[nodiscard]] Result<Bytes> variable_bytes(const Graph& graph, const std::vector<OpId>& variables,
                                           std::optional<std::int64_t> batch_size);

}  // namespace tideline
