// Type, shape and bytes of every tensor of a graph: recorded, given by the user, or inferred.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_options.h"

namespace tideline {

/// A list of tensors, which a loop or a call returns.
struct ListContent {
  std::uint32_t tensor = 0;  ///< position among all outputs
  /// Of one element; nullopt when its shape, or a part of it, is unknown.
  std::optional<Bytes> element_bytes;
  std::int64_t length = 0;  ///< elements, or kUnknownLength
};

/// Output tensors of all ops. The number of outputs of an op is the largest that its signature, its
/// recorded shapes or its consumers imply. Shapes come from the `_output_shapes` attributes and
/// from the user, and otherwise from shape inference (shapes/inference.h). Types come from the
/// signature. Units: bytes, counted as `TensorOptions::model` says. Cost: O(1) per query unless
/// noted. Copies share what was built. Thread: immutable once built.
class TensorTable {
 public:
  TensorTable() = default;  ///< of a graph without ops

  /// Errors: kCorrupt, naming op and attribute, for shapes that no tensor can have (dims below -1,
  /// more bytes than 64 bits count) and for impossible numbers of outputs. kNotFound for a given
  /// shape of an op or tensor that does not exist, kInvalidArgument for one that contradicts what
  /// the file says.
  /// Cost: one walk over the attributes; equal shape lists are decoded once. Shapes are inferred
  /// only where some are missing, or for the faithful model. Nothing of this where
  /// `TensorOptions::known` has the table.
  [[nodiscard]] static Result<TensorTable> build(const Graph& graph, const TensorOptions& options);

  [[nodiscard]] std::uint32_t output_count(OpId op) const {
    return data_->first[op.index() + 1] - data_->first[op.index()];
  }
  /// Position of slot 0 of each op among all outputs; their number comes last.
  [[nodiscard]] std::span<const std::uint32_t> first_outputs() const { return data_->first; }
  [[nodiscard]] const Shape& shape(TensorId tensor) const {
    return data_->shapes[data_->shape_of[at(tensor)]];
  }
  [[nodiscard]] DataType type(TensorId tensor) const { return data_->types[at(tensor)]; }
  [[nodiscard]] Bytes bytes(TensorId tensor) const { return data_->bytes[at(tensor)]; }
  /// Bytes of all output slots of `op`.
  [[nodiscard]] Bytes output_bytes(OpId op) const;
  /// Whether `bytes` is a guess: an unknown rank, type or dim, except the batch with a given size.
  [[nodiscard]] bool is_unknown(TensorId tensor) const { return data_->guessed[at(tensor)]; }
  /// Number of tensors whose size was guessed. Cost: O(tensors).
  [[nodiscard]] std::int64_t unknown_count() const;
  /// Whether the op recorded its shapes (it may have recorded them as unknown).
  [[nodiscard]] bool has_recorded_shapes(OpId op) const { return data_->recorded[op.index()]; }
  /// Tensors whose shape, or part of it, is inferred.
  [[nodiscard]] std::int64_t inferred_count() const { return data_->inferred_count; }
  /// Number of tensors whose recorded shape contradicts the inferred one, which is then ignored.
  /// The first of them: "conv:0: recorded [1,2], inferred [1,3]".
  [[nodiscard]] std::int64_t difference_count() const { return data_->difference_count; }
  [[nodiscard]] const std::string& first_difference() const { return data_->first_difference; }
  /// Number of ops whose inputs contradict each other, so that their outputs are unknown, and the
  /// name of the first.
  [[nodiscard]] std::int64_t contradiction_count() const { return data_->contradiction_count; }
  [[nodiscard]] const std::string& first_contradiction() const {
    return data_->first_contradiction;
  }
  /// Inputs that read a slot past the declared outputs of their producer.
  [[nodiscard]] std::int64_t reads_past_outputs() const { return data_->reads_past_outputs; }
  [[nodiscard]] std::optional<std::int64_t> batch_size() const { return data_->batch_size; }

  // For the rounds of loops; empty in the compatible model.
  /// The value of a scalar integer where it is the same in every run; known only in graphs with v1
  /// loops.
  [[nodiscard]] std::optional<std::int64_t> number(TensorId tensor) const;
  /// What is known of a list that a loop or call returns, or of a copy of one; null for others.
  /// Cost: O(log lists).
  [[nodiscard]] const ListContent* list(TensorId tensor) const;
  /// Loops that are called (While), in this graph and in functions, in the order in which they
  /// were met.
  [[nodiscard]] const std::vector<LoopCount>& called_loops() const { return data_->called_loops; }
  /// As in TensorOptions.
  [[nodiscard]] const std::vector<GivenRounds>& given_rounds() const { return data_->given_rounds; }
  /// How often `op` ran in the traced step; 0 when it did not or there is none.
  [[nodiscard]] std::int64_t traced_runs(OpId op) const {
    return op.index() < data_->traced_runs.size() ? data_->traced_runs[op.index()] : 0;
  }

 private:
  friend class TensorTableBuilder;
  struct Data {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> shape_of;
    std::vector<DataType> types;
    std::vector<Bytes> bytes;
    std::vector<bool> guessed;   // by tensor
    std::vector<bool> recorded;  // by op
    std::vector<Shape> shapes;
    std::int64_t reads_past_outputs = 0;
    std::int64_t inferred_count = 0;
    std::int64_t difference_count = 0;
    std::int64_t contradiction_count = 0;
    std::string first_difference;
    std::string first_contradiction;
    std::optional<std::int64_t> batch_size;
    std::unordered_map<std::uint32_t, std::int64_t> numbers;  // by tensor; only looked up
    std::vector<LoopCount> called_loops;
    std::vector<GivenRounds> given_rounds;
    std::vector<std::int32_t> traced_runs;
    std::vector<ListContent> lists;  // ascending
  };
  explicit TensorTable(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  [[nodiscard]] std::size_t at(TensorId tensor) const {
    return data_->first[tensor.op.index()] + tensor.slot;
  }

  std::shared_ptr<const Data> data_ = std::make_shared<const Data>();
};

/// Bytes of all input and output slots of `op`, which must be in memory at once.
[[nodiscard]] Bytes op_bytes(const Graph& graph, const TensorTable& tensors, OpId op);

}  // namespace tideline
