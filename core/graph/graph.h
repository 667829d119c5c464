// The model: ops, tensors and edges of one graph, as flat arrays that are immutable once built.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/base/source_bytes.h"
#include "core/graph/function_syntax.h"
#include "core/graph/name_index.h"
#include "core/graph/node_codec.h"
#include "core/graph/op_signature.h"

namespace tideline {

/// A graph of ops. Invariants: names are unique and not empty; every input exists; `encoded(op)`
/// agrees with the other members. Acyclicity is checked separately (verify.h). Names, types,
/// devices and encodings are views into bytes that the graph keeps alive.
/// Cost: O(1) for every accessor unless noted. Thread: immutable, any number of readers.
class Graph {
 public:
  [[nodiscard]] std::uint32_t op_count() const { return static_cast<std::uint32_t>(ops_.size()); }
  /// All ops, in file order.
  [[nodiscard]] OpRange ops() const { return OpRange(op_count()); }

  [[nodiscard]] std::string_view name(OpId op) const { return record(op).name(); }
  [[nodiscard]] std::string_view type(OpId op) const { return types_[record(op).type]; }
  [[nodiscard]] std::string_view device(OpId op) const { return devices_[record(op).device]; }
  /// Small dense numbers for the distinct types and devices of this graph.
  [[nodiscard]] std::uint32_t type_id(OpId op) const { return record(op).type; }
  [[nodiscard]] std::uint32_t device_id(OpId op) const { return record(op).device; }
  [[nodiscard]] const std::vector<std::string_view>& types() const { return types_; }
  [[nodiscard]] const std::vector<std::string_view>& devices() const { return devices_; }

  /// Data inputs by slot.
  [[nodiscard]] std::span<const TensorId> inputs(OpId op) const {
    return {inputs_.data() + record(op).first_input, record(op).input_count};
  }
  /// Position of input slot 0 of `op` in the array of all data inputs of the graph.
  [[nodiscard]] std::size_t first_input_index(OpId op) const { return record(op).first_input; }
  [[nodiscard]] std::size_t input_slot_count() const { return inputs_.size(); }
  /// Control inputs as listed in the file, repetitions included.
  [[nodiscard]] std::span<const OpId> control_inputs(OpId op) const {
    return {controls_.data() + record(op).first_control, record(op).control_count};
  }

  /// The op's whole encoding, attributes included, for `codec()`.
  [[nodiscard]] std::string_view encoded(OpId op) const {
    return {record(op).encoded_data, record(op).encoded_size};
  }
  [[nodiscard]] const NodeCodec& codec() const { return *codec_; }
  /// One attribute, decoded; nullopt when the op does not have it. Errors: kCorrupt, naming op and
  /// attribute. Cost: a walk over the attributes of the op.
  [[nodiscard]] Result<std::optional<AttrValue>> attribute(OpId op, std::string_view key) const;

  /// The op called `name`, or an invalid id. Cost: one hash look-up.
  [[nodiscard]] OpId find(std::string_view name) const;
  /// The tensor that a user writes as "op:slot", or as "op" for output 0; nullopt when there is no
  /// such op. Whether the op has that many outputs is not checked (TensorTable knows).
  [[nodiscard]] std::optional<TensorId> find_tensor(std::string_view name) const;
  /// "conv1/Relu:0", always with the slot.
  [[nodiscard]] std::string tensor_name(TensorId tensor) const;
  /// `tensor` as written in an op's input list: "conv1/Relu", "split:1"; inside a function's body
  /// "conv1/Relu:activations:0". Errors: kInvalidArgument for an output without a name.
  [[nodiscard]] Result<std::string> input_text(TensorId tensor) const;
  [[nodiscard]] bool is_function_body() const { return function_syntax_ != nullptr; }
  /// The signature of the op's type, from the built-in table or else declared by the file; null for
  /// an unknown type.
  [[nodiscard]] const OpSignature* signature(OpId op) const;
  /// The version of the TensorFlow graph format that the file was written in (its `producer`; 0
  /// when it names none): attributes mean something else in old ones. A function's body counts as
  /// new, as in TensorFlow.
  [[nodiscard]] std::int32_t producer() const { return producer_; }
  /// Whether input `slot` is declared as a reference: the op may modify the tensor in place, so its
  /// input cannot be replaced by a copy. Slots of a list argument take the list's declaration.
  [[nodiscard]] bool reads_reference(OpId op, std::uint32_t slot) const;

 private:
  friend class GraphBuilder;
  friend class GraphEdit;

  struct OpRecord {
    const char* name_data;
    const char* encoded_data;
    std::uint32_t name_size;
    std::uint32_t encoded_size;
    std::uint32_t type;
    std::uint32_t device;
    std::uint32_t first_input;
    std::uint32_t input_count;
    std::uint32_t first_control;
    std::uint32_t control_count;
    [[nodiscard]] std::string_view name() const { return {name_data, name_size}; }
  };
  [[nodiscard]] const OpRecord& record(OpId op) const { return ops_[op.index()]; }

  std::vector<OpRecord> ops_;
  std::vector<TensorId> inputs_;
  std::vector<OpId> controls_;
  std::vector<std::string_view> types_;
  std::vector<std::string_view> devices_;
  std::vector<std::optional<OpSignature>> signatures_;  // by type id
  NameIndex names_;
  std::shared_ptr<const FunctionSyntax> function_syntax_;  // null for an ordinary graph
  const NodeCodec* codec_ = nullptr;
  std::int32_t producer_ = std::numeric_limits<std::int32_t>::max();
  std::vector<std::shared_ptr<const void>> keep_alive_;
};

}  // namespace tideline
