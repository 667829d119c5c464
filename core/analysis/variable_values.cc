// Problem: a graph of TensorFlow 2 has no variables but handles that are passed to it, and a
// GraphDef does not have to say what lies behind them.
// Idea: ask whoever may know, the most trusted first: attributes of the handle (a SavedModel's
// objects, the signature of a function and our Python front end there); what a function that gets
// the handle records about its argument; the shapes of what is read and written through it. An
// embedding is only gathered from and scattered to, so its rows stay open; then the optimizer's
// variable for it, which has the same shape, tells.
//   ReadVariableOp(w) [3,4]      w is [3,4]
//   ResourceGather(e, ids) [8,16], ids [8]      e is [?,16]; its slot is [50,16], so e is, too
// Limits: a slot of another shape than its variable is taken for one only where all known dims
// agree. Source: own. Tested by unit/analysis/variable_values_test.cc.
#include "core/analysis/variable_values.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/text.h"

namespace tideline {
namespace {

// Both together; nullopt when they contradict each other.
std::optional<Shape> met(const Shape& a, const Shape& b) {
  if (!a.has_rank) return b;
  if (!b.has_rank) return a;
  if (a.dims.size() != b.dims.size()) return std::nullopt;
  Shape both = a;
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    if (both.dims[i] == kUnknownDim) both.dims[i] = b.dims[i];
    if (b.dims[i] != kUnknownDim && both.dims[i] != b.dims[i]) return std::nullopt;
  }
  return both;
}

}  // namespace

bool VariableValue::is_known() const {
  return shape.fully_known() && type != DataType::kInvalid;
}

// What the attributes of a handle say. Equal attributes are decoded once: of many variables few
// differ. All handles are of one graph.
class RecordedValues {
 public:
  Result<VariableValue> of(const Graph& graph, OpId op) {
    const std::string_view op_type = graph.type(op);
    const bool is_variable = op_type != "_Arg" && !op_type.starts_with("Placeholder");
    const std::string_view shape_key = is_variable ? "shape" : "_handle_shapes";
    const std::string_view type_key = is_variable ? "dtype" : "_handle_dtypes";
    std::optional<std::string_view> shape;
    std::optional<std::string_view> type;
    graph.codec().for_each_attribute(graph.encoded(op),
                                     [&](std::string_view key, std::string_view encoded) {
                                       if (key == shape_key) shape = encoded;
                                       if (key == type_key) type = encoded;
                                     });
    VariableValue value;
    if (shape) {
      TIDELINE_TRY(const AttrValue* of_shape, decoded(graph, op, shape_key, *shape));
      if (is_variable) {
        value.shape = of_shape->shape;
      } else if (!of_shape->shapes.empty()) {
        value.shape = of_shape->shapes.front();
      }
    }
    if (type) {
      TIDELINE_TRY(const AttrValue* of_type, decoded(graph, op, type_key, *type));
      if (is_variable) {
        value.type = of_type->type;
      } else if (!of_type->types.empty()) {
        value.type = of_type->types.front();
      }
    }
    if (shape || type) value.source = ValueSource::kRecorded;
    return value;
  }

 private:
  Result<const AttrValue*> decoded(const Graph& graph, OpId op, std::string_view key,
                                   std::string_view encoded) {
    const auto known = decoded_.find(encoded);
    if (known != decoded_.end()) return &known->second;
    auto value = graph.codec().decode(encoded);
    if (!value) {
      return tl::unexpected(with_context(std::move(value).error(),
                                         fmt::format("op '{}': attr '{}'", graph.name(op), key)));
    }
    return &decoded_.emplace(encoded, *std::move(value)).first->second;
  }

  std::unordered_map<std::string_view, AttrValue> decoded_;  // keys are parts of the graph
};

class ValueSearch {
 public:
  ValueSearch(const GraphFacts& facts, const TensorTable& tensors)
      : facts_(facts), graph_(facts.graph()), tensors_(tensors) {
    found_.graph_ = &graph_;
    found_.batch_size_ = tensors.batch_size();
  }

  Result<VariableValues> run() {
    if (is_closed()) {
      std::vector<OpId> variables;
      for (const OpId op : graph_.ops()) {
        if (kind(op) == OpKind::kVariable) variables.push_back(op);
      }
      found_.values_.reserve(variables.size());
      for (const OpId op : variables) TIDELINE_RETURN_IF_ERROR(add(op));
      const bool are_known =
          std::all_of(found_.values_.begin(), found_.values_.end(),
                      [](const auto& variable) { return variable.second.is_known(); });
      if (are_known) return std::move(found_);
    } else {
      for (const VariableUse& use : facts_.variables()) TIDELINE_RETURN_IF_ERROR(add(use.variable));
      for (const OpId op : graph_.ops()) TIDELINE_RETURN_IF_ERROR(add_captured(op));
    }
    for (const VariableUse& use : facts_.variables()) share_with_slots(use);
    return std::move(found_);
  }

 private:
  [[nodiscard]] OpKind kind(OpId op) const { return facts_.ops().of(graph_, op).kind; }
  [[nodiscard]] bool is_passed(OpId op) const { return kind(op) == OpKind::kPlaceholder; }

  // Nothing that is passed in can be a variable. Then the ops are all variables there are, and what
  // they record mostly says everything: their roles, which cost the passes, are not needed.
  [[nodiscard]] bool is_closed() const {
    const auto may_be_variable = [&](Use use) {
      return facts_.ops().of(graph_, use.consumer).variable || kind(use.consumer) == OpKind::kCall;
    };
    for (const OpId op : graph_.ops()) {
      if (!is_passed(op)) continue;
      const auto uses = facts_.consumers().data(op);
      if (is_resource(op) || std::any_of(uses.begin(), uses.end(), may_be_variable)) return false;
    }
    return true;
  }

  Status add(OpId variable) {
    TIDELINE_TRY(VariableValue value, recorded_.of(graph_, variable));
    if (is_passed(variable)) {
      TIDELINE_RETURN_IF_ERROR(add_arguments(variable, value));
      add_uses(variable, value);
    }
    found_.values_.emplace(variable.value, std::move(value));
    return {};
  }

  // Takes what `value` does not know yet; `from` is trusted less.
  void take(OpId variable, const VariableValue& from, VariableValue& value) {
    const auto both = met(value.shape, from.shape);
    const bool types_agree = value.type == DataType::kInvalid || from.type == DataType::kInvalid ||
                             base_type(value.type) == base_type(from.type);
    if (!both || !types_agree) {
      if (found_.contradiction_count_++ == 0) {
        found_.first_contradiction_ =
            fmt::format("{}: {} {}, and {} {}", graph_.name(variable), data_type_name(value.type),
                        to_string(value.shape), data_type_name(from.type), to_string(from.shape));
      }
      return;
    }
    const bool is_news = *both != value.shape ||
                         (value.type == DataType::kInvalid && from.type != DataType::kInvalid);
    if (!is_news) return;
    value.shape = *both;
    if (value.type == DataType::kInvalid) value.type = base_type(from.type);
    value.source = from.source;
  }

  // What functions record about the argument that `handle` becomes, also further inside.
  Status add_arguments(OpId handle, VariableValue& value) {
    if (facts_.functions() == nullptr) return {};
    for (const Use use : facts_.consumers().data(handle)) {
      if (kind(use.consumer) != OpKind::kCall) continue;
      for (const CalledBody& called : called_bodies(graph_, use.consumer, *facts_.functions())) {
        const std::uint32_t argument = use.slot - called.first_input;
        if (use.slot < called.first_input || argument >= called.function->arguments.size())
          continue;
        TIDELINE_TRY(VariableValue from, RecordedValues().of(called.function->body,
                                                             called.function->arguments[argument]));
        from.source = ValueSource::kArgument;
        take(handle, from, value);
      }
    }
    return {};
  }

  void add_uses(OpId variable, VariableValue& value) {
    VariableValue by_use;
    by_use.source = ValueSource::kUse;
    for (const Use use : facts_.consumers().data(variable)) add_use(use, by_use);
    take(variable, by_use, value);
  }

  // The first use of a kind counts: uses that disagree are not two sources.
  void add_use(Use use, VariableValue& by_use) {
    const OpFacts& about = facts_.ops().of(graph_, use.consumer);
    if (!about.variable || *about.variable != use.slot) return;
    const auto input = [&](std::uint8_t slot) { return graph_.inputs(use.consumer)[slot]; };
    const std::size_t inputs = graph_.inputs(use.consumer).size();
    if (about.kind == OpKind::kRead && tensors_.output_count(use.consumer) > 0) {
      note({use.consumer, 0}, tensors_.shape({use.consumer, 0}), by_use);
    } else if (about.indices && about.value && *about.value < inputs && *about.indices < inputs) {
      note_rows(input(*about.value), input(*about.indices), by_use);
    } else if (about.kind == OpKind::kAssign && about.value && *about.value < inputs) {
      note(input(*about.value), tensors_.shape(input(*about.value)), by_use);
    } else if (about.kind == OpKind::kUpdate && !about.indices && !about.gradients.empty() &&
               about.gradients[0] < inputs) {
      note(input(about.gradients[0]), tensors_.shape(input(about.gradients[0])), by_use);
    } else if (graph_.type(use.consumer) == "ResourceGather" && inputs == 2) {
      note_rows({use.consumer, 0}, graph_.inputs(use.consumer)[1], by_use);
    }
  }

  void note(TensorId tensor, const Shape& shape, VariableValue& by_use) {
    if (const auto both = met(by_use.shape, shape)) by_use.shape = *both;
    if (by_use.type == DataType::kInvalid) by_use.type = base_type(tensors_.type(tensor));
  }

  // Rows that are picked or written by number: their shape begins with that of the numbers.
  void note_rows(TensorId rows, TensorId numbers, VariableValue& by_use) {
    const Shape& shape = tensors_.shape(rows);
    const Shape& of_numbers = tensors_.shape(numbers);
    Shape whole = Shape::unknown();
    if (shape.has_rank && of_numbers.has_rank && shape.dims.size() >= of_numbers.dims.size()) {
      whole = Shape::of({kUnknownDim});
      whole.dims.insert(whole.dims.end(),
                        shape.dims.begin() + static_cast<std::ptrdiff_t>(of_numbers.dims.size()),
                        shape.dims.end());
    }
    note(rows, whole, by_use);
  }

  // A resource that no op uses as a variable may be one all the same.
  Status add_captured(OpId op) {
    if (!is_passed(op)) return {};
    CapturedHandle handle{op, true, {}};
    if (!found_.values_.contains(op.value)) {
      if (!is_resource(op)) return {};
      TIDELINE_TRY(VariableValue value, recorded_.of(graph_, op));
      if (value.source == ValueSource::kNothing) TIDELINE_RETURN_IF_ERROR(add_arguments(op, value));
      handle.holds_tensor = value.type != DataType::kInvalid;
      const auto uses = facts_.consumers().data(op);
      if (!handle.holds_tensor && !uses.empty()) {
        handle.used_by = graph_.type(uses.front().consumer);
      }
      if (handle.holds_tensor) found_.values_.emplace(op.value, std::move(value));
    }
    found_.captured_.push_back(std::move(handle));
    return {};
  }
  [[nodiscard]] bool is_resource(OpId op) const {
    return tensors_.output_count(op) > 0 &&
           base_type(tensors_.type({op, 0})) == DataType::kResource;
  }

  // Variable and slots have one shape, and whoever knows it tells the others.
  void share_with_slots(const VariableUse& use) {
    for (const OpId slot : use.slots) {
      const auto own = found_.values_.find(use.variable.value);
      const auto other = found_.values_.find(slot.value);
      if (own == found_.values_.end() || other == found_.values_.end()) return;
      share(other->second, own->second);
      share(own->second, other->second);
    }
  }
  static void share(const VariableValue& from, VariableValue& to) {
    if (to.is_known() || !from.is_known()) return;
    const auto both = met(to.shape, from.shape);
    if (!both) return;
    to.shape = *both;
    if (to.type == DataType::kInvalid) to.type = from.type;
    to.source = ValueSource::kSlot;
  }

  const GraphFacts& facts_;
  const Graph& graph_;
  const TensorTable& tensors_;
  RecordedValues recorded_;
  VariableValues found_;
};

Result<VariableValues> VariableValues::find(const GraphFacts& facts, const TensorTable& tensors) {
  return ValueSearch(facts, tensors).run();
}

const VariableValue& VariableValues::of(OpId op) const {
  static const VariableValue kNone;
  const auto found = values_.find(op.value);
  return found == values_.end() ? kNone : found->second;
}

Result<Bytes> VariableValues::bytes(std::span<const OpId> variables) const {
  Bytes total = 0;
  for (const OpId op : variables) {
    const VariableValue& value = of(op);
    const auto bytes = tensor_bytes(value.shape, value.type, batch_size_);
    if (!bytes) {
      return fail(Code::kCorrupt, "op '{}': attr 'shape': {} has more bytes than a tensor can have",
                  graph_->name(op), to_string(value.shape));
    }
    total = saturating_add(total, *bytes);
  }
  return total;
}

std::vector<OpId> VariableValues::resident() const {
  std::vector<OpId> ops;
  for (const auto& [op, value] : values_) ops.push_back(OpId{op});
  std::sort(ops.begin(), ops.end());
  return ops;
}

Result<CapturedTotal> captured_total(const VariableValues& values) {
  CapturedTotal total;
  for (const CapturedHandle& handle : values.captured()) {
    if (!handle.holds_tensor) {
      total.bare.push_back(handle);
      continue;
    }
    ++total.variables;
    if (!values.of(handle.op).is_known()) ++total.unknown;
    TIDELINE_TRY(const Bytes bytes, values.bytes(handle.op));
    total.bytes = saturating_add(total.bytes, bytes);
  }
  return total;
}

void note_captured(const Graph& graph, const VariableValues& values, Diagnostics& diagnostics) {
  if (values.contradiction_count() > 0) {
    diagnostics.add(Severity::kNotice,
                    "captured variable about which the file says two things; the better counts",
                    values.first_contradiction(), values.contradiction_count());
  }
  for (const CapturedHandle& handle : values.captured()) {
    if (!handle.holds_tensor) {
      diagnostics.add(Severity::kInfo, "captured resource that holds no tensor; it counts 0",
                      handle.used_by.empty()
                          ? std::string(graph.name(handle.op))
                          : fmt::format("{}, used by {}", graph.name(handle.op), handle.used_by));
    } else if (!values.of(handle.op).is_known()) {
      diagnostics.add(
          Severity::kNotice, "variable that is passed in and whose shape is not recorded",
          fmt::format("{}: {} {}", graph.name(handle.op), data_type_name(values.of(handle.op).type),
                      to_string(values.of(handle.op).shape)));
    }
  }
}

}  // namespace tideline
