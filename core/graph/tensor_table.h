// Type, shape and bytes of every tensor of a graph, as far as the file says them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/graph.h"

namespace tideline {

/// Output tensors of all ops. How many outputs an op has follows from its declared signature, from
/// its recorded shapes and from the slots that others read, whichever is most. Shapes come from the
/// `_output_shapes` attributes; without them they are unknown. Types come from the signature.
/// Units: bytes, counted as the reference LMS counts (shape.h) with `batch_size`.
/// Thread: immutable once built.
class TensorTable {
 public:
  /// Errors: kCorrupt, naming op and attribute, for shapes that no tensor can have (dims below -1,
  /// more bytes than 64 bits count) and for impossible numbers of outputs.
  /// Cost: one walk over the attributes; equal shape lists are decoded once.
  [[nodiscard]] static Result<TensorTable> build(const Graph& graph,
                                                 std::optional<std::int64_t> batch_size);

  [[nodiscard]] std::uint32_t output_count(OpId op) const {
    return first_[op.index() + 1] - first_[op.index()];
  }
  [[nodiscard]] const Shape& shape(TensorId tensor) const { return shapes_[shape_of_[at(tensor)]]; }
  [[nodiscard]] DataType type(TensorId tensor) const { return types_[at(tensor)]; }
  [[nodiscard]] Bytes bytes(TensorId tensor) const { return bytes_[at(tensor)]; }
  /// Bytes of all output slots of `op`.
  [[nodiscard]] Bytes output_bytes(OpId op) const;
  /// Whether `bytes` had to guess (size_is_unknown).
  [[nodiscard]] bool is_unknown(TensorId tensor) const;
  /// How many tensors of the graph are so.
  [[nodiscard]] std::int64_t unknown_count() const;
  /// Whether the op recorded its shapes (it may have recorded them as unknown).
  [[nodiscard]] bool has_recorded_shapes(OpId op) const { return recorded_[op.index()]; }
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
  std::vector<bool> recorded_;
  std::vector<Shape> shapes_;
  std::int64_t reads_past_outputs_ = 0;
  std::optional<std::int64_t> batch_size_;
};

/// Bytes of all input and output slots of `op`: what it needs at once.
[[nodiscard]] Bytes op_bytes(const Graph& graph, const TensorTable& tensors, OpId op);

}  // namespace tideline
