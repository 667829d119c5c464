#include "core/graph/tensor_table.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "core/base/text.h"
#include "core/graph/known_tables.h"
#include "core/graph/missing_shapes.h"

namespace tideline {
namespace {

constexpr std::string_view kShapesAttribute = "_output_shapes";
// More outputs than any op has; a larger count is a damaged attribute.
constexpr std::int64_t kMaxOutputs = 1 << 20;

struct EncodedAttribute {
  std::string_view key;
  std::string_view value;
};

}  // namespace

class TensorTableBuilder {
 public:
  TensorTableBuilder(const Graph& graph, const TensorOptions& options)
      : graph_(graph), options_(options) {
    table_->batch_size = options.batch_size;
  }
  Result<TensorTable> build();

 private:
  // A list of shapes as one op recorded it; ids into table_->shapes.
  struct ShapeList {
    std::vector<std::uint32_t> ids;
  };

  Status add_op(OpId op);
  Status find_types(OpId op, std::vector<DataType>& types);
  Result<DataType> decoded_type(std::string_view encoded);
  Result<DataType> type_attribute(const OpSignature& signature, const std::string& name);
  Result<std::int64_t> number_attribute(const OpSignature& signature, const std::string& name);
  Result<const ShapeList*> recorded_shapes(std::string_view encoded);
  [[nodiscard]] std::optional<std::string_view> encoded_attribute(std::string_view name) const;
  Status append(OpId op, std::uint32_t slot, DataType type, std::uint32_t shape);
  [[nodiscard]] std::uint32_t shape_id(const Shape& shape);
  Status fill_in();
  void take(const MissingShapes& missing);
  void take(const MeasuredSizes& measured);
  [[nodiscard]] tl::unexpected<Error> in_op(OpId op, Error error) const {
    return tl::unexpected(with_context(std::move(error), fmt::format("op '{}'", graph_.name(op))));
  }

  const Graph& graph_;
  const TensorOptions& options_;
  std::shared_ptr<TensorTable::Data> table_ = std::make_shared<TensorTable::Data>();
  std::int64_t without_record_ = 0;           // tensors
  std::vector<std::uint32_t> read_slots_;     // by op: highest slot that is read + 1
  std::vector<EncodedAttribute> attributes_;  // of the op at hand
  std::unordered_map<std::string_view, ShapeList> shape_lists_;
  std::unordered_map<std::string, std::uint32_t> shape_ids_;
  // Attributes that were decoded before: there are few different ones.
  std::unordered_map<std::string_view, DataType> decoded_types_;
  std::unordered_set<std::string_view> checked_shapes_;
  // What the last tensor of a shape needs.
  struct Sized {
    DataType type = DataType::kInvalid;
    Bytes bytes = 0;
    bool guessed = false;
  };
  std::vector<std::optional<Sized>> sized_;  // by id of the shape
};

std::optional<std::string_view> TensorTableBuilder::encoded_attribute(std::string_view name) const {
  const auto last = std::find_if(attributes_.rbegin(), attributes_.rend(),
                                 [&](const EncodedAttribute& entry) { return entry.key == name; });
  if (last == attributes_.rend()) return std::nullopt;
  return last->value;
}

std::uint32_t TensorTableBuilder::shape_id(const Shape& shape) {
  const auto next = static_cast<std::uint32_t>(table_->shapes.size());
  const auto [known, is_new] = shape_ids_.try_emplace(to_string(shape), next);
  if (is_new) table_->shapes.push_back(shape);
  return known->second;
}

Result<const TensorTableBuilder::ShapeList*> TensorTableBuilder::recorded_shapes(
    std::string_view encoded) {
  const auto [entry, added] = shape_lists_.try_emplace(encoded);
  if (added) {
    TIDELINE_TRY(const AttrValue value, graph_.codec().decode(encoded));
    for (const Shape& shape : value.shapes) {
      entry->second.ids.push_back(shape_id(shape));
    }
  }
  return &entry->second;
}

Result<DataType> TensorTableBuilder::decoded_type(std::string_view encoded) {
  const auto [entry, added] = decoded_types_.try_emplace(encoded);
  if (added) {
    TIDELINE_TRY(const AttrValue value, graph_.codec().decode(encoded));
    entry->second = value.type;
  }
  return entry->second;
}

Result<DataType> TensorTableBuilder::type_attribute(const OpSignature& signature,
                                                    const std::string& name) {
  if (const auto encoded = encoded_attribute(name)) return decoded_type(*encoded);
  for (const auto& [attr, type] : signature.type_defaults) {
    if (attr == name) return type;
  }
  return DataType::kInvalid;
}

Result<std::int64_t> TensorTableBuilder::number_attribute(const OpSignature& signature,
                                                          const std::string& name) {
  std::int64_t number = 0;
  if (const auto encoded = encoded_attribute(name)) {
    TIDELINE_TRY(const AttrValue value, graph_.codec().decode(*encoded));
    number = value.integer;
  } else {
    for (const auto& [attr, value] : signature.number_defaults) {
      if (attr == name) number = value;
    }
  }
  if (number < 0 || number > kMaxOutputs) {
    return fail(Code::kCorrupt, "attr '{}' is {}; expected a number of outputs from 0 to {}",
                printable(name), number, kMaxOutputs);
  }
  return number;
}

// The types of the declared outputs. For a type that nobody declares: its attribute T or dtype.
Status TensorTableBuilder::find_types(OpId op, std::vector<DataType>& types) {
  const OpSignature* signature = graph_.signature(op);
  if (signature == nullptr) return {};
  for (const ArgSignature& argument : signature->outputs) {
    if (!argument.type_list_attr.empty()) {
      if (const auto encoded = encoded_attribute(argument.type_list_attr)) {
        TIDELINE_TRY(const AttrValue value, graph_.codec().decode(*encoded));
        types.insert(types.end(), value.types.begin(), value.types.end());
      }
      continue;
    }
    DataType type = argument.type;
    if (!argument.type_attr.empty()) {
      TIDELINE_TRY(type, type_attribute(*signature, argument.type_attr));
    }
    if (argument.is_reference) type = reference_to(type);
    std::int64_t count = 1;
    if (!argument.number_attr.empty()) {
      TIDELINE_TRY(count, number_attribute(*signature, argument.number_attr));
    }
    types.insert(types.end(), static_cast<std::size_t>(count), type);
    if (types.size() > static_cast<std::size_t>(kMaxOutputs)) {
      return fail(Code::kCorrupt, "has more than {} outputs; expected far fewer", kMaxOutputs);
    }
  }
  return {};
}

Status TensorTableBuilder::append(OpId op, std::uint32_t slot, DataType type, std::uint32_t shape) {
  sized_.resize(table_->shapes.size());
  std::optional<Sized>& sized = sized_[shape];
  if (!sized || sized->type != type) {
    const auto bytes = tensor_bytes(table_->shapes[shape], type, table_->batch_size);
    if (!bytes) {
      return fail(Code::kCorrupt,
                  "op '{}': attr '{}': shape {} of output {} has more bytes than a "
                  "tensor can have",
                  graph_.name(op), kShapesAttribute, to_string(table_->shapes[shape]), slot);
    }
    sized = {type, *bytes, size_is_unknown(table_->shapes[shape], type, table_->batch_size)};
  }
  table_->types.push_back(type);
  table_->shape_of.push_back(shape);
  table_->bytes.push_back(sized->bytes);
  table_->guessed.push_back(sized->guessed);
  return {};
}

Status TensorTableBuilder::add_op(OpId op) {
  attributes_.clear();
  graph_.codec().for_each_attribute(graph_.encoded(op),
                                    [this](std::string_view key, std::string_view value) {
                                      attributes_.push_back({key, value});
                                    });
  // Every dim of every shape attribute is checked, not only the recorded output shapes: a file that
  // says dim -5 is damaged wherever it says so.
  const ShapeList* shapes = nullptr;
  for (const EncodedAttribute& attribute : attributes_) {
    if (attribute.key == kShapesAttribute) {
      auto list = recorded_shapes(attribute.value);
      if (!list) return in_op(op, with_context(std::move(list).error(), "attr '_output_shapes'"));
      shapes = *list;
    } else if ((attribute.key == "shape" || attribute.key == "shapes") &&
               checked_shapes_.insert(attribute.value).second) {
      auto value = graph_.codec().decode(attribute.value);
      if (!value) {
        return in_op(
            op, with_context(std::move(value).error(), fmt::format("attr '{}'", attribute.key)));
      }
    }
  }
  std::vector<DataType> types;
  if (Status status = find_types(op, types); !status) return in_op(op, std::move(status).error());
  const std::size_t recorded = shapes != nullptr ? shapes->ids.size() : 0;
  const std::size_t declared = std::max(types.size(), recorded);
  const std::size_t count = std::max<std::size_t>(declared, read_slots_[op.index()]);
  const bool sensible_total = table_->types.size() + count <=
                              8 * (std::size_t{graph_.op_count()} + graph_.input_slot_count()) +
                                  2 * static_cast<std::size_t>(kMaxOutputs);
  if (!sensible_total) {
    return fail(Code::kCorrupt, "op '{}' has {} outputs; expected far fewer", graph_.name(op),
                count);
  }
  DataType fallback = DataType::kInvalid;
  if (graph_.signature(op) == nullptr) {
    for (const std::string_view key : {"T", "dtype"}) {
      const auto encoded = encoded_attribute(key);
      if (!encoded || fallback != DataType::kInvalid) continue;
      if (auto value = graph_.codec().decode(*encoded)) fallback = value->type;
    }
  }
  table_->recorded.push_back(shapes != nullptr);
  without_record_ += static_cast<std::int64_t>(count - std::min(count, recorded));
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    const std::uint32_t shape = slot < recorded ? shapes->ids[slot] : 0;
    TIDELINE_RETURN_IF_ERROR(append(op, slot, slot < types.size() ? types[slot] : fallback, shape));
  }
  if (graph_.signature(op) != nullptr && read_slots_[op.index()] > declared) {
    ++table_->reads_past_outputs;
  }
  table_->first.push_back(static_cast<std::uint32_t>(table_->types.size()));
  return {};
}

Result<TensorTable> TensorTableBuilder::build() {
  table_->shapes.push_back(Shape::unknown());  // id 0
  shape_ids_.emplace(to_string(Shape::unknown()), 0);
  read_slots_.resize(graph_.op_count());
  for (const OpId op : graph_.ops()) {
    for (const TensorId input : graph_.inputs(op)) {
      std::uint32_t& slots = read_slots_[input.op.index()];
      slots = std::max(slots, input.slot + 1);
    }
  }
  table_->first.reserve(graph_.op_count() + std::size_t{1});
  table_->first.push_back(0);
  for (const OpId op : graph_.ops()) TIDELINE_RETURN_IF_ERROR(add_op(op));
  const bool complete = without_record_ == 0 && options_.model == SizeModel::kCompatible;
  if (!complete || !options_.shapes.empty() || options_.measured != nullptr) {
    TIDELINE_RETURN_IF_ERROR(fill_in());
  }
  if (options_.measured != nullptr) take(*options_.measured);
  if (options_.model == SizeModel::kFaithful) {
    table_->given_rounds = options_.rounds;
    if (options_.measured != nullptr) table_->traced_runs = options_.measured->runs;
  }
  return TensorTable(std::move(table_));
}

Status TensorTableBuilder::fill_in() {
  TIDELINE_TRY(const MissingShapes missing,
               find_missing_shapes(
                   {graph_, table_->first, table_->shape_of, table_->shapes, table_->recorded},
                   options_, without_record_ > 0));
  take(missing);
  return {};
}

void TensorTableBuilder::take(const MissingShapes& missing) {
  for (const MissingShapes::Found& found : missing.found) {
    const DataType type = table_->types[found.tensor];
    const auto bytes = bytes_of(found, type, options_);
    if (!bytes) continue;  // more than there can be: not what will happen
    table_->shape_of[found.tensor] = shape_id(found.shape);
    table_->bytes[found.tensor] = *bytes;
    table_->guessed[found.tensor] = is_guess(found, type, options_);
    if (found.is_inferred) ++table_->inferred_count;
  }
  table_->difference_count = missing.difference_count;
  table_->first_difference = missing.first_difference;
  for (const MissingShapes::List& list : missing.lists) {
    ListContent& content = table_->lists.emplace_back(ListContent{list.tensor, {}, list.length});
    if (!list.element.has_rank) continue;
    const auto element = tensor_bytes(list.element, list.type, table_->batch_size);
    if (!size_is_unknown(list.element, list.type, table_->batch_size)) {
      content.element_bytes = element.value_or(std::numeric_limits<Bytes>::max());
    }
    if (list.length == kUnknownLength) continue;
    const auto bytes = element ? checked_multiply(*element, list.length) : std::nullopt;
    table_->bytes[list.tensor] = bytes.value_or(std::numeric_limits<Bytes>::max());
  }
  table_->numbers.insert(missing.numbers.begin(), missing.numbers.end());
  table_->called_loops = missing.loops;
  table_->contradiction_count = missing.contradiction_count;
  table_->first_contradiction = missing.first_contradiction;
}

void TensorTableBuilder::take(const MeasuredSizes& measured) {
  for (const MeasuredSize& entry : measured.sizes) {
    const std::size_t op = entry.tensor.op.index();
    if (op >= graph_.op_count()) continue;
    const std::uint32_t at = table_->first[op] + entry.tensor.slot;
    if (at >= table_->first[op + 1] || at < table_->first[op]) continue;
    table_->bytes[at] = entry.bytes;
    table_->guessed[at] = false;
    if (entry.shape.has_rank) table_->shape_of[at] = shape_id(entry.shape);
    if (table_->types[at] == DataType::kInvalid) table_->types[at] = entry.type;
  }
}

Result<TensorTable> TensorTable::build(const Graph& graph, const TensorOptions& options) {
  const auto build = [&] { return TensorTableBuilder(graph, options).build(); };
  return options.known != nullptr ? options.known->find_or_build(graph, options, build) : build();
}

const ListContent* TensorTable::list(TensorId tensor) const {
  const auto position = static_cast<std::uint32_t>(at(tensor));
  const auto found = std::lower_bound(
      data_->lists.begin(), data_->lists.end(), position,
      [](const ListContent& entry, std::uint32_t wanted) { return entry.tensor < wanted; });
  return found != data_->lists.end() && found->tensor == position ? &*found : nullptr;
}

Bytes TensorTable::output_bytes(OpId op) const {
  Bytes total = 0;
  for (std::size_t i = data_->first[op.index()]; i < data_->first[op.index() + 1]; ++i) {
    total = saturating_add(total, data_->bytes[i]);
  }
  return total;
}

std::optional<std::int64_t> TensorTable::number(TensorId tensor) const {
  const auto found = data_->numbers.find(static_cast<std::uint32_t>(at(tensor)));
  if (found == data_->numbers.end()) return std::nullopt;
  return found->second;
}

std::int64_t TensorTable::unknown_count() const {
  return std::count(data_->guessed.begin(), data_->guessed.end(), true);
}

Bytes op_bytes(const Graph& graph, const TensorTable& tensors, OpId op) {
  Bytes total = tensors.output_bytes(op);
  for (const TensorId input : graph.inputs(op)) {
    total = saturating_add(total, tensors.bytes(input));
  }
  return total;
}

}  // namespace tideline
