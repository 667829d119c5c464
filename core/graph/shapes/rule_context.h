// What a shape rule sees of its op, and where it puts its answer.
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

/// One op while its rule runs. Inputs that a broken file lacks count as unknown; answers for
/// outputs that nobody asked for are dropped; outputs without an answer stay unknown. Attributes
/// that are missing or of another kind give the fallback.
class RuleContext {
 public:
  /// An attribute as it stands in the file.
  struct EncodedAttribute {
    std::string_view key;
    std::string_view value;
  };

  RuleContext(const Graph& graph, DimLists& lists, Cells& cells, FunctionCalls& calls)
      : graph_(graph), lists_(lists), cells_(cells), calls_(calls) {}

  /// Starts with the next op. `inputs` and `outputs` are the caller's and outlive the rule.
  void begin(OpId op, std::span<const TensorFact> inputs, std::span<TensorFact> outputs);

  [[nodiscard]] OpId op() const { return op_; }
  /// For rules that recognise what stands before their op.
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
  /// Elements of an input, row by row; null when unknown.
  [[nodiscard]] const Dims* value(std::size_t input) const {
    return lists_.find(fact(input).value);
  }
  /// The one element of a scalar (or of a tensor of one element); nothing when it is no number.
  [[nodiscard]] std::optional<std::int64_t> number(std::size_t input) const;
  /// All elements, when all are numbers.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> numbers(std::size_t input) const;
  [[nodiscard]] TensorFact fact(std::size_t input) const;
  [[nodiscard]] std::int64_t rank(std::size_t input) const;  ///< -1 when unknown
  /// Whether nothing was said of an input yet; only a Merge is asked to work with such inputs.
  [[nodiscard]] bool is_pending(std::size_t input) const {
    return inputs_[input].shape == kPending;
  }

  [[nodiscard]] bool has_attribute(std::string_view key);
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t fallback);
  [[nodiscard]] bool boolean(std::string_view key, bool fallback);
  [[nodiscard]] std::string text(std::string_view key, std::string_view fallback);
  [[nodiscard]] DataType data_type(std::string_view key);  ///< kInvalid when there is none
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key);
  /// A shape attribute; kNothing when missing or of unknown rank.
  [[nodiscard]] DimsId shape_attribute(std::string_view key);
  /// A list of shapes, or of types.
  [[nodiscard]] std::vector<DimsId> shape_list(std::string_view key);
  [[nodiscard]] std::size_t type_list_size(std::string_view key);
  [[nodiscard]] std::optional<TensorContent> tensor(std::string_view key);
  /// The tensor that an input reads from a Const; for texts, which `value` does not follow.
  [[nodiscard]] std::optional<TensorContent> constant_input(std::size_t input) const;
  /// The tensor of a Const; nothing for other ops.
  [[nodiscard]] std::optional<TensorContent> constant_of(OpId op) const;
  [[nodiscard]] std::optional<AttrValue> attribute(std::string_view key);

  void set(std::size_t output, const TensorFact& fact);
  void set_shape(std::size_t output, const Dims& dims) { set_shape(output, checked_id(dims)); }
  void set_shape(std::size_t output, DimsId shape);
  void set_value(std::size_t output, const Dims& elements);
  void set_handle(std::size_t output, Handle handle);
  void set_unknown(std::size_t output) { set(output, {}); }
  /// A dims list with every dim unknown.
  [[nodiscard]] static Dims unknown_dims(std::size_t rank) { return Dims(rank); }
  /// Interned, or kNothing for what no tensor can have: more than 254 dims, negative numbers.
  [[nodiscard]] DimsId checked_id(const Dims& dims);

  /// The inputs contradict each other: every output becomes unknown, and it is counted.
  void contradict();
  [[nodiscard]] bool has_contradiction() const { return contradiction_; }
  /// The op brings in what the user feeds: an unknown dim 0 of its outputs is the batch.
  void mark_fed() { fed_ = true; }
  [[nodiscard]] bool is_fed() const { return fed_; }
  /// The rule waits for an input that is still pending.
  void wait() { waits_ = true; }
  [[nodiscard]] bool waits() const { return waits_; }

  /// The cell of a container op, made on first sight. `length`: a list of one dim, or kNothing.
  [[nodiscard]] Handle own_cell(DimsId fixed_content, DimsId length = kNothing);
  /// How many elements the container of an input has; a list of one dim, or kNothing. The op is
  /// looked at again when that changes.
  [[nodiscard]] DimsId container_length(std::size_t input);
  /// What the container of an input holds; kPending while nothing was put in, kNothing when it is
  /// not known. The op is looked at again when that changes.
  [[nodiscard]] DimsId content(std::size_t input) { return content_fact(input).shape; }
  [[nodiscard]] TensorFact content_fact(std::size_t input);
  /// Notes that such a tensor is put in. The container's readers are looked at again.
  void put(std::size_t input, const TensorFact& fact);
  void put(std::size_t input, DimsId shape) { put(input, TensorFact{shape, kNothing, {}}); }
  /// The op that owns the container of an input; invalid when unknown.
  [[nodiscard]] OpId container_owner(std::size_t input) const;
  /// Attributes of another op of the graph, such as the queue that a handle comes from.
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
