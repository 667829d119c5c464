// Type and shape of the values of variables, also of those that are only passed in as handles.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/structure/graph_facts.h"
#include "core/base/diagnostics.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// Where the type and the shape of a value are from, the most trusted source first.
enum class ValueSource : std::uint8_t {
  kRecorded,  ///< attributes of the op itself
  kArgument,  ///< what a function that gets the handle records about its argument
  kUse,       ///< what is read and written through the handle
  kSlot,      ///< the optimizer's variable for it, or the variable of which it is one
  kNothing,
};

/// The value behind one handle or variable. A shape of unknown rank or with unknown dims: no source
/// knows more.
struct VariableValue {
  Shape shape = Shape::unknown();
  DataType type = DataType::kInvalid;
  ValueSource source = ValueSource::kNothing;

  [[nodiscard]] bool is_known() const;
};

/// A resource that is passed in: a Placeholder, or an argument in a function's body.
struct CapturedHandle {
  OpId op;
  bool holds_tensor = true;  ///< false: an iterator, a table, a writer, or of unknown use
  std::string used_by;       ///< the type of an op that uses what holds no tensor; may be empty
};

/// Of one graph. Copies share nothing. Thread: immutable once built.
class VariableValues {
 public:
  /// `facts` and `tensors` are of the same graph. Errors: kCorrupt for attributes that cannot be
  /// decoded. Cost: O(ops), and that of facts.variables() where a handle is passed in or a variable
  /// does not record its shape.
  [[nodiscard]] static Result<VariableValues> find(const GraphFacts& facts,
                                                   const TensorTable& tensors);

  /// Of a variable op or a captured handle; nothing is known about others.
  [[nodiscard]] const VariableValue& of(OpId op) const;
  /// Total bytes of `variables`, one at a time counted as `TensorOptions::model` says for unknown
  /// dims. Errors: kCorrupt for more bytes than a tensor can have.
  [[nodiscard]] Result<Bytes> bytes(std::span<const OpId> variables) const;
  [[nodiscard]] Result<Bytes> bytes(OpId variable) const { return bytes({&variable, 1}); }

  /// Variable ops, and captured handles that hold a tensor: each once, in file order.
  [[nodiscard]] std::vector<OpId> resident() const;
  /// In file order.
  [[nodiscard]] const std::vector<CapturedHandle>& captured() const { return captured_; }
  /// Sources that contradict each other: how many, and the first.
  [[nodiscard]] std::int64_t contradiction_count() const { return contradiction_count_; }
  [[nodiscard]] const std::string& first_contradiction() const { return first_contradiction_; }

 private:
  friend class ValueSearch;
  const Graph* graph_ = nullptr;
  std::optional<std::int64_t> batch_size_;
  std::unordered_map<std::uint32_t, VariableValue> values_;
  std::vector<CapturedHandle> captured_;
  std::int64_t contradiction_count_ = 0;
  std::string first_contradiction_;
};

/// All captured handles together.
struct CapturedTotal {
  std::int64_t variables = 0;        ///< handles that hold a tensor
  std::int64_t unknown = 0;          ///< of these, with a size that no source says
  Bytes bytes = 0;                   ///< of those that are known
  std::vector<CapturedHandle> bare;  ///< without a tensor, in file order
};
[[nodiscard]] Result<CapturedTotal> captured_total(const VariableValues& values);

/// Adds notices about sources that contradict each other and about captured variables of unknown
/// size.
void note_captured(const Graph& graph, const VariableValues& values, Diagnostics& diagnostics);

}  // namespace tideline
