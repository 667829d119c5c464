// Type, shape and bytes of every tensor of a graph: recorded, given by the user, or inferred.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_options.h"

namespace tideline {

/// Output tensors of all ops. How many outputs an op has follows from its declared signature, from
/// its recorded shapes and from the slots that others read, whichever is most. Shapes come from the
/// `_output_shapes` attributes and from the user, and where neither says one, from what ops do
/// (shapes/inference.h). Types come from the signature.
/// Units: bytes, counted as `TensorOptions::model` says. Thread: immutable once built.
class TensorTable {
 public:
  /// Errors: kCorrupt, naming op and attribute, for shapes that no tensor can have (dims below -1,
  /// more bytes than 64 bits count) and for impossible numbers of outputs. kNotFound for a given
  /// shape of an op or tensor that does not exist, kInvalidArgument for one that contradicts what
  /// the file says.
  /// Cost: one walk over the attributes; equal shape lists are decoded once. Shapes are inferred
  /// only where some are missing, or for the faithful model.
  [[nodiscard]] static Result<TensorTable> build(const Graph& graph, const TensorOptions& options);

  [[nodiscard]] std::uint32_t output_count(OpId op) const {
    return first_[op.index() + 1] - first_[op.index()];
  }
  [[nodiscard]] const Shape& shape(TensorId tensor) const { return shapes_[shape_of_[at(tensor)]]; }
  [[nodiscard]] DataType type(TensorId tensor) const { return types_[at(tensor)]; }
  [[nodiscard]] Bytes bytes(TensorId tensor) const { return bytes_[at(tensor)]; }
  /// Bytes of all output slots of `op`.
  [[nodiscard]] Bytes output_bytes(OpId op) const;
  /// Whether `bytes` had to guess: an unknown rank, type, or dim, other than the batch with a given
  /// size.
  [[nodiscard]] bool is_unknown(TensorId tensor) const { return guessed_[at(tensor)]; }
  /// How many tensors of the graph are so.
  [[nodiscard]] std::int64_t unknown_count() const;
  /// Whether the op recorded its shapes (it may have recorded them as unknown).
  [[nodiscard]] bool has_recorded_shapes(OpId op) const { return recorded_[op.index()]; }
  /// Tensors whose shape, or part of it, is inferred.
  [[nodiscard]] std::int64_t inferred_count() const { return inferred_count_; }
  /// Tensors whose recorded shape contradicts the inferred one; the record stands. And the first:
  /// "conv:0: recorded [1,2], inferred [1,3]".
  [[nodiscard]] std::int64_t difference_count() const { return difference_count_; }
  [[nodiscard]] const std::string& first_difference() const { return first_difference_; }
  /// Ops whose inputs contradict each other; their outputs are unknown. And the first, by name.
  [[nodiscard]] std::int64_t contradiction_count() const { return contradiction_count_; }
  [[nodiscard]] const std::string& first_contradiction() const { return first_contradiction_; }
  /// Inputs that read a slot past the declared outputs of their producer.
  [[nodiscard]] std::int64_t reads_past_outputs() const { return reads_past_outputs_; }
  [[nodiscard]] std::optional<std::int64_t> batch_size() const { return batch_size_; }

 private:
  friend class TensorTableBuilder;
  [[nodiscard]] std::size_t at(TensorId tensor) const {
    return first_[tensor.op.index()] + tensor.slot;
  }

  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> shape_of_;
  std::vector<DataType> types_;
  std::vector<Bytes> bytes_;
  std::vector<bool> guessed_;   // by tensor
  std::vector<bool> recorded_;  // by op
  std::vector<Shape> shapes_;
  std::int64_t reads_past_outputs_ = 0;
  std::int64_t inferred_count_ = 0;
  std::int64_t difference_count_ = 0;
  std::int64_t contradiction_count_ = 0;
  std::string first_difference_;
  std::string first_contradiction_;
  std::optional<std::int64_t> batch_size_;
};

/// Bytes of all input and output slots of `op`: what it needs at once.
[[nodiscard]] Bytes op_bytes(const Graph& graph, const TensorTable& tensors, OpId op);

}  // namespace tideline
