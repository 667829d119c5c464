// Shapes that a file does not record, for the TensorTable: given by the user, or inferred.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/shapes/dim.h"
#include "core/graph/tensor_options.h"

namespace tideline {

/// Shapes recorded in the file. Tensors are numbered by op, then by slot.
struct RecordedShapes {
  const Graph& graph;
  const std::vector<std::uint32_t>& first;     ///< tensor of slot 0, by op; their number at the end
  const std::vector<std::uint32_t>& shape_of;  ///< index into `shapes`, by tensor
  const std::vector<Shape>& shapes;
  const std::vector<bool>& recorded;  ///< by op: whether it recorded anything
};

/// The shapes found, and how often recorded and inferred shapes disagree.
struct MissingShapes {
  struct Found {
    std::uint32_t tensor = 0;
    Shape shape;
    Dims dims;  ///< the same, with dims as multiples of the batch; empty without a rank
    bool is_inferred = false;
  };
  std::vector<Found> found;  ///< tensors whose shape is not the recorded one, ascending
  /// A list of tensors, in a graph whose loops are counted.
  struct List {
    std::uint32_t tensor = 0;
    Shape element;            ///< without a rank when unknown
    std::int64_t length = 0;  ///< or kUnknownLength
    DataType type = DataType::kInvalid;
  };
  std::vector<List> lists;  ///< results of loops and calls, and their copies, ascending
  std::vector<std::pair<std::uint32_t, std::int64_t>> numbers;  ///< scalars, ascending
  std::vector<LoopCount> loops;
  std::int64_t difference_count = 0;
  std::string first_difference;
  std::int64_t contradiction_count = 0;
  std::string first_contradiction;
};

/// Applies given shapes, and infers the missing ones. Nothing is inferred when `some_are_missing`
/// is false, the model is the compatible one, and nothing was measured.
/// Errors: kNotFound, kInvalidArgument for given shapes (tensor_table.h). Cost: O(given shapes), or
/// that of infer_shapes. Thread: pure.
[[nodiscard]] Result<MissingShapes> find_missing_shapes(const RecordedShapes& recorded,
                                                        const TensorOptions& options,
                                                        bool some_are_missing);

/// Bytes of the tensor under the model of `options`; nullopt on overflow of 64 bits.
[[nodiscard]] std::optional<Bytes> bytes_of(const MissingShapes::Found& found, DataType type,
                                            const TensorOptions& options);
/// Whether `bytes_of` is a guess: the rank, the type or a dim is unknown.
[[nodiscard]] bool is_guess(const MissingShapes::Found& found, DataType type,
                            const TensorOptions& options);

}  // namespace tideline
