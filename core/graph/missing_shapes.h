// Shapes that a file does not say, for the TensorTable: given by the user, or inferred.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/shapes/dim.h"
#include "core/graph/tensor_options.h"

namespace tideline {

/// What the file says: tensors by number, slot by slot, op by op.
struct RecordedShapes {
  const Graph& graph;
  const std::vector<std::uint32_t>& first;     ///< tensor of slot 0, by op; their number at the end
  const std::vector<std::uint32_t>& shape_of;  ///< index into `shapes`, by tensor
  const std::vector<Shape>& shapes;
  const std::vector<bool>& recorded;  ///< by op: whether it recorded anything
};

struct MissingShapes {
  struct Found {
    std::uint32_t tensor = 0;
    Shape shape;
    Dims dims;  ///< the same with multiples of the batch, when there is a rank
    bool is_inferred = false;
  };
  std::vector<Found> found;  ///< tensors that get another shape than the file says, ascending
  std::int64_t difference_count = 0;
  std::string first_difference;
  std::int64_t contradiction_count = 0;
  std::string first_contradiction;
};

/// Errors: kNotFound, kInvalidArgument for given shapes (tensor_table.h).
/// Nothing is inferred when `some_are_missing` is false, the model is the compatible one, and
/// nothing was measured.
[[nodiscard]] Result<MissingShapes> find_missing_shapes(const RecordedShapes& recorded,
                                                        const TensorOptions& options,
                                                        bool some_are_missing);

/// Bytes of such a tensor under the model of `options`; nothing when 64 bits do not hold them.
[[nodiscard]] std::optional<Bytes> bytes_of(const MissingShapes::Found& found, DataType type,
                                            const TensorOptions& options);
/// Whether `bytes_of` has to guess.
[[nodiscard]] bool is_guess(const MissingShapes::Found& found, DataType type,
                            const TensorOptions& options);

}  // namespace tideline
