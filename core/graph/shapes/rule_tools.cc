#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {

void same_as_first(RuleContext& context) {
  context.set_shape(0, context.fact(0).shape);
}

void scalar(RuleContext& context) {
  context.set_shape(0, DimLists::scalar());
}

DimsId meet_shapes(RuleContext& context, DimsId a, DimsId b) {
  bool agree = true;
  const DimsId met = meet_lists(context.lists(), a, b, agree);
  if (!agree) context.contradict();
  return met;
}

void meet_inputs(RuleContext& context, std::size_t first, std::size_t count, std::size_t output) {
  DimsId met = kNothing;
  for (std::size_t i = first; i < first + count; ++i) {
    met = meet_shapes(context, met, context.fact(i).shape);
  }
  context.set_shape(output, met);
}

DimsId broadcast_shapes(RuleContext& context, DimsId a, DimsId b) {
  if (a == b) return a;
  const Dims* left = context.lists().find(a);
  const Dims* right = context.lists().find(b);
  if (left == nullptr || right == nullptr) return kNothing;
  if (left->size() < right->size()) std::swap(left, right);
  const std::size_t offset = left->size() - right->size();
  Dims dims = *left;
  for (std::size_t i = 0; i < right->size(); ++i) {
    const auto dim = broadcast((*left)[offset + i], (*right)[i]);
    if (!dim) {
      context.contradict();
      return kNothing;
    }
    dims[offset + i] = *dim;
  }
  return context.checked_id(dims);
}

DimsId shape_from_value(RuleContext& context, std::size_t input) {
  if (const Dims* elements = context.value(input)) {
    Dims dims = *elements;
    for (Dim& dim : dims) {
      if (dim.is_number() && dim.value() < 0) dim = Dim::unknown();
    }
    return context.checked_id(dims);
  }
  const Dims* shape = context.shape(input);
  constexpr std::int64_t kMostDims = 254;
  if (shape != nullptr && shape->size() == 1 && shape->front().is_number() &&
      shape->front().value() <= kMostDims) {
    return context.checked_id(Dims(static_cast<std::size_t>(shape->front().value())));
  }
  return kNothing;
}

Dim dim_at(const Dims* dims, std::size_t at) {
  return dims != nullptr && at < dims->size() ? (*dims)[at] : Dim::unknown();
}

Dim only_element(const RuleContext& context, std::size_t input) {
  const Dims* elements = context.value(input);
  return elements != nullptr && elements->size() == 1 ? elements->front() : Dim::unknown();
}

Dim product(const Dims& dims) {
  return product(dims, 0, dims.size());
}

Dim product(const Dims& dims, std::size_t first, std::size_t last) {
  Dim all = Dim::of(1);
  bool is_empty = false;
  for (std::size_t i = first; i < last; ++i) {
    is_empty |= dims[i].is(0);
    all = multiply(all, dims[i]);
  }
  return is_empty ? Dim::of(0) : all;
}

std::optional<std::size_t> from_front(std::int64_t axis, std::size_t rank) {
  const auto limit = static_cast<std::int64_t>(rank);
  if (axis < -limit || axis >= limit) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + limit : axis);
}

namespace {

// The largest number below which an element type holds every whole number.
std::int64_t exact_up_to(DataType type) {
  switch (type) {
    case DataType::kInt64:
    case DataType::kUint64: return INT64_MAX;
    case DataType::kInt32:
    case DataType::kUint32: return INT32_MAX;
    case DataType::kInt16:
    case DataType::kUint16: return INT16_MAX;
    case DataType::kInt8:
    case DataType::kUint8: return INT8_MAX;
    case DataType::kFloat:
    case DataType::kDouble: return 1 << 24;
    case DataType::kHalf: return 1 << 11;
    case DataType::kBfloat16: return 1 << 8;
    case DataType::kBool: return 1;
    default: return -1;
  }
}

}  // namespace

void set_exact_value(RuleContext& context, Dims elements, std::string_view type) {
  const std::int64_t most = exact_up_to(base_type(context.data_type(type)));
  if (most < 0) return;
  for (Dim& element : elements) {
    if (element.is_number() && (element.value() > most || element.value() < -most)) {
      element = Dim::unknown();
    }
  }
  context.set_value(0, elements);
}

Window::Padding padding_of(const std::string& text) {
  if (text == "SAME") return Window::Padding::kSame;
  if (text == "VALID") return Window::Padding::kValid;
  return text == "EXPLICIT" ? Window::Padding::kExplicit : Window::Padding::kOther;
}

Dim slide(Dim input, const Window& window) {
  if (window.stride <= 0 || window.dilation <= 0) return Dim::unknown();
  const Dim stride = Dim::of(window.stride);
  if (window.padding == Window::Padding::kSame) return divide_up(input, stride);
  if (window.padding == Window::Padding::kOther) return Dim::unknown();
  // A window of one element reaches as far as it stands.
  const Dim reach = multiply(subtract(window.size, Dim::of(1)), Dim::of(window.dilation));
  Dim room = input;
  if (window.padding == Window::Padding::kExplicit) {
    room = add(add(room, Dim::of(window.before)), Dim::of(window.after));
  }
  const Dim places = subtract(room, reach);
  if (places.is_number() && places.value() <= 0) {
    return places.is(0) ? Dim::of(0) : Dim::unknown();
  }
  return divide_up(places, stride);
}

}  // namespace tideline::shapes
