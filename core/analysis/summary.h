// Key figures of a graph, as in the LMS tutorial: ops, edges, levels, parameters, largest op.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/activity.h"
#include "core/analysis/edges.h"
#include "core/analysis/levels.h"
#include "core/analysis/placement.h"
#include "core/analysis/structure/graph_facts.h"
#include "core/analysis/variable_values.h"
#include "core/base/diagnostics.h"
#include "core/graph/collections.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"

namespace tideline {

struct Summary {
  std::int64_t vertices = 0;
  EdgeCounts edges;
  std::int32_t levels = 0;           ///< of the compatible map
  std::int32_t levels_complete = 0;  ///< of the complete map
  std::int64_t without_level = 0;    ///< ops that the compatible map leaves out
  Bytes learning_parameter_bytes = 0;
  std::int64_t trainable_variables = 0;
  VariableValues values;
  CapturedTotal captured;  ///< resources that are passed in
  OpId largest_operation;  ///< active device op with most op bytes; invalid when there is none
  Bytes largest_operation_bytes = 0;
  std::int64_t tensors = 0;
  std::int64_t unknown_size_tensors = 0;
  std::int64_t inferred_tensors = 0;
  /// A value that is fed or read from a dataset has an unknown first dimension, and no batch size
  /// is given: its size is that of a batch of 1.
  bool is_batch_open = false;
};

/// The active device op with the most input and output bytes, the first in file order among equals;
/// invalid when all have 0. `inactive`: by op. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] OpId largest_operation(const Graph& graph, const TensorTable& tensors,
                                     const Placement& placement, const std::vector<bool>& inactive);

/// Errors: those of find_variables, VariableValues and inactive_ops. Cost: O(ops + edges).
[[nodiscard]] Result<Summary> summarize(const GraphFacts& facts, const Collections& collections,
                                        const TensorTable& tensors);

/// Adds notices that qualify the figures: guessed sizes, undeclared op types, inputs that read past
/// the outputs of their producer, loops. Cost: O(ops). Thread: pure.
/// What note_captured notes is among them.
void add_oddities(const Graph& graph, const TensorTable& tensors, const Summary& summary,
                  Diagnostics& diagnostics);
/// Adds notices about recorded shapes that contradict what the ops compute. `tensors` is of the
/// faithful model, which infers all shapes.
void note_contradicted_shapes(const TensorTable& tensors, Diagnostics& diagnostics);

}  // namespace tideline
