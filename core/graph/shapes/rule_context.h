// The interface of shape rules: access to the op's inputs and attributes, and setters for outputs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/shapes/tensor_fact.h"

namespace tideline {

class FunctionCalls;

/// The op whose rule is running. Inputs missing in a broken file read as unknown; facts set for
/// outputs that do not exist are dropped; outputs not set stay unknown. Attributes that are missing
/// or of another kind give the fallback. Thread: not shared.
class RuleContext {
 public:
  /// An attribute as encoded in the file.
  struct EncodedAttribute {
    std::string_view key;
    std::string_view value;
  };

  RuleContext(const Graph& graph, DimLists& lists, Cells& cells, FunctionCalls& calls)
      : graph_(graph), lists_(lists), cells_(cells), calls_(calls) {}

  /// Makes `op` the current op. `inputs` and `outputs` must outlive its rule.
  void begin(OpId op, std::span<const TensorFact> inputs, std::span<TensorFact> outputs);

  [[nodiscard]] OpId op() const { return op_; }
  /// For rules that look at the producers of their op.
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::string_view type() const { return graph_.type(op_); }
  [[nodiscard]] DimLists& lists() { return lists_; }
  [[nodiscard]] FunctionCalls& calls() { return calls_; }

  [[nodiscard]] std::size_t input_count() const { return inputs_.size(); }
  [[nodiscard]] std::size_t output_count() const { return outputs_.size(); }
  /// Dims of an input; null when its rank is unknown.
  [[nodiscard]] const Dims* shape(std::size_t input) const {
    return lists_.find(fact(input).shape);
  }
  /// Elements of an input, in row-major order; null when unknown.
  [[nodiscard]] const Dims* value(std::size_t input) const {
    return lists_.find(fact(input).value);
  }
  /// The only element of a scalar or one-element tensor; nullopt when it is not a known number.
  [[nodiscard]] std::optional<std::int64_t> number(std::size_t input) const;
  /// All elements; nullopt unless all are known numbers.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> numbers(std::size_t input) const;
  [[nodiscard]] TensorFact fact(std::size_t input) const;
  [[nodiscard]] std::int64_t rank(std::size_t input) const;  ///< -1 when unknown
  /// Whether an input was not inferred yet. Only rules of Merge see such inputs.
  [[nodiscard]] bool is_pending(std::size_t input) const {
    return inputs_[input].shape == kPending;
  }

  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t fallback);
  [[nodiscard]] bool boolean(std::string_view key, bool fallback);
  [[nodiscard]] std::string text(std::string_view key, std::string_view fallback);
  [[nodiscard]] DataType data_type(std::string_view key);  ///< kInvalid when there is none
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key);
  /// A shape attribute; kNothing when missing or of unknown rank.
  [[nodiscard]] DimsId shape_attribute(std::string_view key);
  /// A list of shapes, or of types.
  [[nodiscard]] std::vector<DimsId> shape_list(std::string_view key);
  [[nodiscard]] std::optional<TensorContent> tensor(std::string_view key);
  /// The tensor of the Const that an input reads; for strings, which `value` does not cover.
  [[nodiscard]] std::optional<TensorContent> constant_input(std::size_t input) const;
  /// The tensor of a Const; nullopt for other ops.
  [[nodiscard]] std::optional<TensorContent> constant_of(OpId op) const;
  [[nodiscard]] std::optional<AttrValue> attribute(std::string_view key);

  void set(std::size_t output, const TensorFact& fact);
  void set_shape(std::size_t output, const Dims& dims) { set_shape(output, checked_id(dims)); }
  void set_shape(std::size_t output, DimsId shape);
  void set_value(std::size_t output, const Dims& elements);
  void set_handle(std::size_t output, Handle handle);
  void set_unknown(std::size_t output) { set(output, {}); }
  /// `rank` unknown dims.
  [[nodiscard]] static Dims unknown_dims(std::size_t rank) { return Dims(rank); }
  /// The id of `dims`; kNothing for dims that no tensor can have: more than 254, or negative ones.
  [[nodiscard]] DimsId checked_id(const Dims& dims);

  /// Reports that the inputs contradict each other: all outputs become unknown.
  void contradict();
  [[nodiscard]] bool has_contradiction() const { return contradiction_; }
  /// Marks the op as fed by the user: an unknown dim 0 of its outputs is the batch.
  void mark_fed() { fed_ = true; }
  [[nodiscard]] bool is_fed() const { return fed_; }
  /// Postpones the op until an input that is still pending is inferred.
  void wait() { waits_ = true; }
  [[nodiscard]] bool waits() const { return waits_; }

  /// The cell of a container op, created on first use. `length`: a list of one dim, or kNothing.
  [[nodiscard]] Handle own_cell(DimsId fixed_content, DimsId length = kNothing);
  /// Number of elements of the container at an input: a list of one dim, or kNothing. The op is
  /// evaluated again when it changes.
  [[nodiscard]] DimsId container_length(std::size_t input);
  /// Shape of the tensors in the container at an input; kPending while it is empty, kNothing when
  /// unknown. The op is evaluated again when it changes.
  [[nodiscard]] DimsId content(std::size_t input) { return content_fact(input).shape; }
  [[nodiscard]] TensorFact content_fact(std::size_t input);
  /// Records that a tensor with this fact is added to the container at an input. The readers of the
  /// container are evaluated again.
  void put(std::size_t input, const TensorFact& fact);
  void put(std::size_t input, DimsId shape) { put(input, TensorFact{shape, kNothing, {}}); }
  /// The op that owns the container at an input; invalid when unknown.
  [[nodiscard]] OpId container_owner(std::size_t input) const;
  /// An attribute of another op of the graph, such as the queue that a handle comes from.
  [[nodiscard]] std::vector<DimsId> shape_list_of(OpId op, std::string_view key);
  /// Cells whose content this op changed.
  [[nodiscard]] const std::vector<std::uint32_t>& changed_cells() const { return changed_cells_; }

 private:
  [[nodiscard]] std::vector<DimsId> ids_of(const AttrValue& value);

  const Graph& graph_;
  DimLists& lists_;
  Cells& cells_;
  FunctionCalls& calls_;
  OpId op_;
  std::span<const TensorFact> inputs_;
  std::span<TensorFact> outputs_;
  std::vector<EncodedAttribute> attributes_;
  bool attributes_read_ = false;
  bool contradiction_ = false;
  bool fed_ = false;
  bool waits_ = false;
  std::vector<std::uint32_t> changed_cells_;
};

}  // namespace tideline
