#include "core/graph/shapes/rule_context.h"

#include <algorithm>

namespace tideline {
namespace {

constexpr std::size_t kMostContextDims = 254;  // of a TensorFlow tensor

}  // namespace

void RuleContext::begin(OpId op, std::span<const TensorFact> inputs,
                        std::span<TensorFact> outputs) {
  op_ = op;
  inputs_ = inputs;
  outputs_ = outputs;
  attributes_read_ = contradiction_ = fed_ = waits_ = false;
  changed_cells_.clear();
  std::fill(outputs_.begin(), outputs_.end(), TensorFact{});
}

TensorFact RuleContext::fact(std::size_t input) const {
  if (input >= inputs_.size()) return {};
  TensorFact fact = inputs_[input];
  if (fact.shape == kPending) fact.shape = kNothing;
  return fact;
}

std::int64_t RuleContext::rank(std::size_t input) const {
  const Dims* dims = shape(input);
  return dims == nullptr ? -1 : static_cast<std::int64_t>(dims->size());
}

std::optional<std::int64_t> RuleContext::number(std::size_t input) const {
  const Dims* elements = value(input);
  if (elements == nullptr || elements->size() != 1 || !elements->front().is_number()) {
    return std::nullopt;
  }
  return elements->front().value();
}

std::optional<std::vector<std::int64_t>> RuleContext::numbers(std::size_t input) const {
  const Dims* elements = value(input);
  if (elements == nullptr) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Dim element : *elements) {
    if (!element.is_number()) return std::nullopt;
    numbers.push_back(element.value());
  }
  return numbers;
}

std::optional<AttrValue> RuleContext::attribute(std::string_view key) {
  if (!attributes_read_) {
    attributes_.clear();
    graph_.codec().for_each_attribute(graph_.encoded(op_),
                                      [this](std::string_view name, std::string_view value) {
                                        attributes_.push_back({name, value});
                                      });
    attributes_read_ = true;
  }
  const auto last = std::find_if(attributes_.rbegin(), attributes_.rend(),
                                 [&](const EncodedAttribute& entry) { return entry.key == key; });
  if (last == attributes_.rend()) return std::nullopt;
  auto value = graph_.codec().decode(last->value);
  if (!value) return std::nullopt;
  return *std::move(value);
}

std::int64_t RuleContext::integer(std::string_view key, std::int64_t fallback) {
  const auto value = attribute(key);
  return value && value->kind == AttrValue::Kind::kInt ? value->integer : fallback;
}

bool RuleContext::boolean(std::string_view key, bool fallback) {
  const auto value = attribute(key);
  return value && value->kind == AttrValue::Kind::kBool ? value->boolean : fallback;
}

std::string RuleContext::text(std::string_view key, std::string_view fallback) {
  auto value = attribute(key);
  return value && value->kind == AttrValue::Kind::kString ? std::move(value->string)
                                                          : std::string(fallback);
}

DataType RuleContext::data_type(std::string_view key) {
  const auto value = attribute(key);
  return value && value->kind == AttrValue::Kind::kType ? value->type : DataType::kInvalid;
}

std::vector<std::int64_t> RuleContext::integers(std::string_view key) {
  auto value = attribute(key);
  return value ? std::move(value->integers) : std::vector<std::int64_t>{};
}

DimsId RuleContext::checked_id(const Dims& dims) {
  if (dims.size() > kMostContextDims) return kNothing;
  for (const Dim dim : dims) {
    if (dim.is_number() && dim.value() < 0) {
      contradiction_ = true;
      return kNothing;
    }
  }
  return lists_.id(dims);
}

std::vector<DimsId> RuleContext::ids_of(const AttrValue& value) {
  std::vector<DimsId> ids;
  const auto add = [&](const Shape& shape) {
    Dims dims;
    for (const std::int64_t dim : shape.dims) {
      dims.push_back(dim == kUnknownDim ? Dim::unknown() : Dim::of(dim));
    }
    ids.push_back(shape.has_rank ? checked_id(dims) : kNothing);
  };
  if (value.kind == AttrValue::Kind::kShape) add(value.shape);
  for (const Shape& shape : value.shapes) add(shape);
  return ids;
}

DimsId RuleContext::shape_attribute(std::string_view key) {
  const auto value = attribute(key);
  if (!value || value->kind != AttrValue::Kind::kShape) return kNothing;
  return ids_of(*value).front();
}

std::vector<DimsId> RuleContext::shape_list(std::string_view key) {
  const auto value = attribute(key);
  return value ? ids_of(*value) : std::vector<DimsId>{};
}

std::vector<DimsId> RuleContext::shape_list_of(OpId op, std::string_view key) {
  auto value = graph_.attribute(op, key);
  return value && *value ? ids_of(**value) : std::vector<DimsId>{};
}

std::optional<TensorContent> RuleContext::constant_input(std::size_t input) const {
  const auto inputs = graph_.inputs(op_);
  return input < inputs.size() ? constant_of(inputs[input].op) : std::nullopt;
}

std::optional<TensorContent> RuleContext::constant_of(OpId op) const {
  if (graph_.type(op) != "Const") return std::nullopt;
  const auto value = graph_.attribute(op, "value");
  if (!value || !*value) return std::nullopt;
  auto content = graph_.codec().tensor_content((*value)->encoded, DimLists::kMaxLength);
  return content ? *std::move(content) : std::nullopt;
}

std::optional<TensorContent> RuleContext::tensor(std::string_view key) {
  const auto value = attribute(key);
  if (!value) return std::nullopt;
  auto content = graph_.codec().tensor_content(value->encoded, DimLists::kMaxLength);
  return content ? *std::move(content) : std::nullopt;
}

void RuleContext::set(std::size_t output, const TensorFact& fact) {
  if (output < outputs_.size()) outputs_[output] = fact;
}

void RuleContext::set_shape(std::size_t output, DimsId shape) {
  if (output < outputs_.size()) outputs_[output].shape = shape;
}

void RuleContext::set_value(std::size_t output, const Dims& elements) {
  if (output < outputs_.size()) outputs_[output].value = lists_.id(elements);
}

void RuleContext::set_handle(std::size_t output, Handle handle) {
  if (output < outputs_.size()) outputs_[output].handle = handle;
}

void RuleContext::contradict() {
  contradiction_ = true;
  std::fill(outputs_.begin(), outputs_.end(), TensorFact{});
}

Handle RuleContext::own_cell(DimsId fixed_content, DimsId length) {
  const std::uint32_t before = cells_.count();
  const std::uint32_t number = cells_.of(op_, fixed_content);
  Cell& cell = cells_[number];
  if (cells_.count() > before) {
    cell.length = length;
  } else if (cell.length != length && cell.length != kNothing) {
    cell.length = kNothing;
    changed_cells_.push_back(number);
  }
  return Handle::of_cell(number);
}

DimsId RuleContext::container_length(std::size_t input) {
  const Handle handle = fact(input).handle;
  if (!handle.is_cell()) return handle.length();
  cells_.add_reader(handle.value(), op_);
  return cells_[handle.value()].length;
}

TensorFact RuleContext::content_fact(std::size_t input) {
  const Handle handle = fact(input).handle;
  if (handle.has_content()) return {handle.value(), kNothing, {}};
  if (!handle.is_cell()) return {};
  cells_.add_reader(handle.value(), op_);
  return cells_[handle.value()].content;
}

void RuleContext::put(std::size_t input, const TensorFact& fact) {
  const Handle handle = this->fact(input).handle;
  if (!handle.is_cell() || handle.is_read_only()) return;
  Cell& cell = cells_[handle.value()];
  if (cell.is_fixed) return;
  const TensorFact joined = join_facts(lists_, cell.content, fact);
  if (joined == cell.content) return;
  cell.content = joined;
  changed_cells_.push_back(handle.value());
}

OpId RuleContext::container_owner(std::size_t input) const {
  const Handle handle = fact(input).handle;
  return handle.is_cell() ? cells_[handle.value()].owner : OpId{};
}

}  // namespace tideline
