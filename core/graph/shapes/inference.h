// Shapes of all tensors of a graph, computed from what its ops do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/graph/shapes/tensor_fact.h"

namespace tideline {

/// What to infer, and from what.
struct InferenceInput {
  const Graph& graph;
  /// Index of slot 0 of each op in the array of all outputs, and their number at the end.
  std::span<const std::uint32_t> first_output;
  /// By output: a shape that is known beforehand (recorded in the file, given by the user) and
  /// counts besides the inferred one; empty for none. Ids are those of `lists`.
  std::span<const DimsId> known = {};
  /// Instead of leaving the batch open.
  std::optional<std::int64_t> batch_size = {};
  /// Bodies of called functions; null: calls give what they recorded.
  const FunctionLibrary* functions = nullptr;
};

struct InferredShapes {
  /// By output; where `known` contradicts what was inferred it is `known`.
  std::vector<DimsId> shapes;
  /// Outputs whose known shape contradicts the inferred one, ascending, and what was inferred.
  struct Difference {
    std::uint32_t output = 0;
    DimsId inferred = kNothing;
  };
  std::vector<Difference> differences;
  /// Ops whose inputs contradict each other.
  std::vector<OpId> contradictions;
  std::int64_t ops_without_rule = 0;  ///< that have outputs
};

/// Infers every shape. What cannot be known, for want of a rule, of constant inputs, or because
/// the graph is broken, is unknown; never an error. Shapes are numbers of `lists`.
/// Cost: O(ops + edges) rules for a graph without loops; loops are walked until nothing changes,
/// each op at most `kMostVisits` times. Thread: pure but for `lists`.
[[nodiscard]] InferredShapes infer_shapes(const InferenceInput& input, DimLists& lists);

}  // namespace tideline
