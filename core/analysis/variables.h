// The variables of a graph, and the trainable ones among them.
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

/// Errors: kNotFound when a collection names an op that does not exist. Cost: O(ops). Thread: pure.
[[nodiscard]] Result<Variables> find_variables(const Graph& graph, const Collections& collections);

/// Total bytes of the values of `variables`. A resource variable counts the value behind its
/// handle; for an argument, as far as the function declares it. Errors: kCorrupt for shapes that
/// cannot be decoded. Cost: O(variables). Thread: pure.
[[nodiscard]] Result<Bytes> variable_bytes(const Graph& graph, const std::vector<OpId>& variables,
                                           std::optional<std::int64_t> batch_size);

}  // namespace tideline
