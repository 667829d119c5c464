// Shapes of all tensors of a graph, computed from what its ops do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/graph/function_library.h"
#include "core/graph/graph.h"
#include "core/graph/loop_count.h"
#include "core/graph/shapes/tensor_fact.h"

namespace tideline {

/// The graph, and what is known about it beforehand.
struct InferenceInput {
  const Graph& graph;
  /// Index of slot 0 of each op in the array of all outputs; the last element is their number.
  std::span<const std::uint32_t> first_output;
  /// By output: a shape known beforehand (recorded in the file, given by the user), to be combined
  /// with the inferred one. Empty when there are none. Ids are those of `lists`.
  std::span<const DimsId> known = {};
  /// The batch size; unset: dims stay multiples of the batch.
  std::optional<std::int64_t> batch_size = {};
  /// Bodies of called functions; null: calls have the shapes recorded for them.
  const FunctionLibrary* functions = nullptr;
  /// If not null, the rounds of loops are counted: these are given by the user.
  const std::vector<GivenRounds>* rounds = nullptr;
  /// Rounds of While ops in a traced step (MeasuredSizes::called_loops); null: there is none.
  const std::vector<GivenRounds>* traced = nullptr;
  /// By output: whether the known shape wins over an inferred one that contradicts it. Null: all
  /// do.
  const std::vector<bool>* certain = nullptr;
  bool with_values = false;  ///< InferredShapes::values is wanted
  /// As TensorFlow's graph optimizer infers: whatever is fed has the shape that its readers demand,
  /// and every unknown dim is a symbol of its own, which ops that keep a dim hand on.
  bool with_symbols = false;
};

struct InferredShapes {
  /// By output; `known` wins where it contradicts the inferred shape, if it is certain.
  std::vector<DimsId> shapes;
  /// By output: the elements of small integer tensors, as far as known; empty unless wanted.
  std::vector<DimsId> values;
  /// Outputs whose known shape contradicts the inferred one, ascending.
  struct Difference {
    std::uint32_t output = 0;
    DimsId inferred = kNothing;
  };
  std::vector<Difference> differences;
  /// Ops whose inputs contradict each other.
  std::vector<OpId> contradictions;
  std::int64_t ops_without_rule = 0;  ///< that have outputs

  // Empty unless rounds are counted.
  /// Results of loops and calls that are lists of tensors, and copies of these, ascending.
  struct List {
    std::uint32_t output = 0;
    DimsId element = kNothing;  ///< kNothing when unknown
    std::int64_t length = 0;    ///< kUnknownLength when unknown
    DataType type = DataType::kInvalid;
  };
  std::vector<List> lists;
  /// Scalar integers of known value, ascending; only in graphs with v1 loops.
  std::vector<std::pair<std::uint32_t, std::int64_t>> numbers;
  std::vector<LoopCount> loops;  ///< While ops, in the order in which they were met
};

/// Infers every shape. A shape that cannot be inferred (no rule for the op type, inputs that are
/// not constant, a broken graph) is unknown; this is never an error. Shapes are ids of `lists`.
/// Cost: O(ops + edges) rule calls for a graph without loops; loops are iterated to a fixed point,
/// each op at most `kMostVisits` times. Thread: pure except for `lists`.
[[nodiscard]] InferredShapes infer_shapes(const InferenceInput& input, DimLists& lists);

}  // namespace tideline
