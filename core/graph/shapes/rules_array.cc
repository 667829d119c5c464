// Ops that change the shape but not the elements: reshape, transpose, pad, tile, fill.

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// The one dim that a Reshape leaves open: all elements by the product of the others. Dims that
// stand on both sides, unknown to us but the same symbol or number, cancel in the products.
Dim open_dim(const Dims* input, const Dims& target, std::size_t open) {
  if (input == nullptr) return Dim::unknown();
  Dim others = Dim::of(1);
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (i != open) others = multiply(others, target[i]);
  }
  const Dim all = product(*input);
  if (others.is_unknown() || all.is_unknown()) return Dim::unknown();
  if (others.is(0)) return all.is(0) ? Dim::of(0) : Dim::unknown();
  const Dim quotient = divide(all, others);
  return multiply(quotient, others) == all ? quotient : Dim::unknown();
}

void reshape(RuleContext& context) {
  const Dims* input = context.shape(0);
  if (const Dims* elements = context.value(0)) context.set_value(0, *elements);
  const Dims* target = context.value(1);
  if (target == nullptr) {
    context.set_shape(0, shape_from_value(context, 1));
    return;
  }
  Dims dims = *target;
  std::size_t open = dims.size();
  std::size_t unknown = 0;
  bool minus_one = false;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_number() && dims[i].value() < 0) {
      if (dims[i].value() != -1 || minus_one) return context.contradict();
      minus_one = true;
      dims[i] = Dim::unknown();
    }
    if (!dims[i].is_unknown()) continue;
    ++unknown;
    open = i;
  }
  // Exactly one dim is open, whether it was written as -1 or is not known: the elements decide.
  if (unknown == 1) dims[open] = open_dim(input, dims, open);
  if (unknown == 0 && input != nullptr) {
    const Dim before = product(*input);
    const Dim after = product(dims);
    if (before.is_number() && after.is_number() && before != after) return context.contradict();
  }
  context.set_shape(0, dims);
}

void expand_dims(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (const Dims* elements = context.value(0)) context.set_value(0, *elements);
  const auto axis = context.number(1);
  if (dims == nullptr) return;
  if (!axis) return context.set_shape(0, RuleContext::unknown_dims(dims->size() + 1));
  const auto at = from_front(*axis, dims->size() + 1);
  if (!at) return context.contradict();
  Dims result = *dims;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(*at), Dim::of(1));
  context.set_shape(0, result);
}

void squeeze(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (const Dims* elements = context.value(0)) context.set_value(0, *elements);
  if (dims == nullptr) return;
  std::vector<bool> chosen(dims->size());
  const std::vector<std::int64_t> axes = context.integers("squeeze_dims");
  for (const std::int64_t axis : axes) {
    const auto at = from_front(axis, dims->size());
    if (!at) return context.contradict();
    chosen[*at] = true;
  }
  Dims result;
  for (std::size_t i = 0; i < dims->size(); ++i) {
    const Dim dim = (*dims)[i];
    if (axes.empty()) {
      // A dim that is not known may be a 1, and then the rank is not known.
      if (dim.is_unknown()) return context.set_unknown(0);
      if (!dim.is(1)) result.push_back(dim);
    } else if (!chosen[i]) {
      result.push_back(dim);
    } else if (dim.is_number() && !dim.is(1)) {
      return context.contradict();
    }
  }
  context.set_shape(0, result);
}

void transpose(RuleContext& context) {
  const Dims* dims = context.shape(0);
  const Dims* order = context.value(1);
  if (dims == nullptr || order == nullptr) {
    // The order's length is the rank.
    const Dims* order_shape = context.shape(1);
    if (dims != nullptr) {
      context.set_shape(0, RuleContext::unknown_dims(dims->size()));
    } else if (order != nullptr) {
      context.set_shape(0, RuleContext::unknown_dims(order->size()));
    } else if (order_shape != nullptr && order_shape->size() == 1) {
      context.set_shape(0, shape_from_value(context, 1));
    }
    return;
  }
  if (order->size() != dims->size()) return context.contradict();
  Dims result(dims->size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!(*order)[i].is_number()) continue;
    const auto from = from_front((*order)[i].value(), dims->size());
    if (!from) return context.contradict();
    result[i] = (*dims)[*from];
  }
  context.set_shape(0, result);
  const Dims* elements = context.value(0);
  if (elements == nullptr) return;
  if (dims->size() <= 1) context.set_value(0, *elements);
  // Of a matrix: the gradient of Tile weaves shapes and multiples with one.
  const bool swaps = dims->size() == 2 && (*order)[0].is(1) && (*order)[1].is(0);
  if (!swaps || !(*dims)[0].is_number() || !(*dims)[1].is_number()) return;
  const auto rows = static_cast<std::size_t>((*dims)[0].value());
  const auto columns = static_cast<std::size_t>((*dims)[1].value());
  if (elements->size() != rows * columns) return;
  Dims transposed;
  for (std::size_t i = 0; i < elements->size(); ++i) {
    transposed.push_back((*elements)[i % rows * columns + i / rows]);
  }
  context.set_value(0, transposed);
}

// The rank of the tensor that is padded: the matrix of paddings has a row for each dim. -1 if
// unknown.
std::int64_t rows_of(const RuleContext& context, std::size_t input) {
  const Dims* dims = context.shape(input);
  if (dims == nullptr || dims->empty() || !dims->front().is_number()) return -1;
  constexpr std::int64_t kMostDims = 254;
  return dims->front().value() <= kMostDims ? dims->front().value() : -1;
}

// `sign` 1: padding is added; -1: it is taken away again, as the gradient of MirrorPad does.
template <int sign>
void pad(RuleContext& context) {
  const Dims* dims = context.shape(0);
  const std::int64_t rows = rows_of(context, 1);
  if (dims == nullptr) {
    if (rows >= 0) context.set_shape(0, Dims(static_cast<std::size_t>(rows)));
    return;
  }
  if (rows >= 0 && rows != static_cast<std::int64_t>(dims->size())) return context.contradict();
  const Dims* paddings = context.value(1);
  if (paddings == nullptr || paddings->size() != 2 * dims->size()) {
    return context.set_shape(0, RuleContext::unknown_dims(dims->size()));
  }
  Dims result;
  for (std::size_t i = 0; i < dims->size(); ++i) {
    const Dim both = add((*paddings)[2 * i], (*paddings)[2 * i + 1]);
    result.push_back(sign > 0 ? add((*dims)[i], both) : subtract((*dims)[i], both));
  }
  context.set_shape(0, result);
}

void tile(RuleContext& context) {
  const Dims* dims = context.shape(0);
  const Dims* multiples = context.value(1);
  if (dims == nullptr) {
    const DimsId target = shape_from_value(context, 1);
    if (const Dims* rank = context.lists().find(target)) context.set_shape(0, Dims(rank->size()));
    return;
  }
  if (multiples == nullptr || multiples->size() != dims->size()) {
    if (multiples != nullptr) return context.contradict();
    return context.set_shape(0, RuleContext::unknown_dims(dims->size()));
  }
  Dims result;
  for (std::size_t i = 0; i < dims->size(); ++i) {
    result.push_back(multiply((*dims)[i], (*multiples)[i]));
  }
  context.set_shape(0, result);
  const Dims* elements = context.value(0);
  if (elements == nullptr || elements->size() != 1 || result.size() != 1) return;
  if (!result[0].is_number() || result[0].value() > 254) return;
  context.set_value(0, Dims(static_cast<std::size_t>(result[0].value()), elements->front()));
}

void fill(RuleContext& context) {
  const DimsId shape = shape_from_value(context, 0);
  context.set_shape(0, shape);
  const Dims* dims = context.lists().find(shape);
  const Dims* element = context.value(1);
  if (dims == nullptr || dims->size() > 1 || element == nullptr || element->size() != 1) return;
  const Dim count = product(*dims);
  if (!count.is_number() || count.value() > 254) return;
  context.set_value(0, Dims(static_cast<std::size_t>(count.value()), element->front()));
}

void ensure_shape(RuleContext& context) {
  TensorFact fact = context.fact(0);
  fact.shape = meet_shapes(context, context.shape_attribute("shape"), fact.shape);
  if (!context.has_contradiction()) context.set(0, fact);
}

void one_hot(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  const auto at = from_front(context.integer("axis", -1), dims->size() + 1);
  if (!at) return context.contradict();
  Dims result = *dims;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(*at), only_element(context, 1));
  context.set_shape(0, result);
}

// [..., n] -> [..., n, n] and back.
void diagonal_to_matrix(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  if (dims->empty()) return context.contradict();
  Dims result = *dims;
  result.push_back(dims->back());
  context.set_shape(0, result);
}

// diagonal, k, rows, columns, padding: only the main diagonal is followed.
void diagonal_to_sized_matrix(RuleContext& context) {
  const Dims* dims = context.shape(0);
  const auto which = context.number(1);
  const auto rows = context.number(2);
  const auto columns = context.number(3);
  if (dims == nullptr || dims->empty() || !which || *which != 0 || !rows || !columns) return;
  Dims result = *dims;
  result.back() = *rows == -1 ? dims->back() : Dim::of(*rows);
  result.push_back(*columns == -1 ? dims->back() : Dim::of(*columns));
  context.set_shape(0, result);
}

void matrix_to_diagonal(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  if (dims->size() < 2) return context.contradict();
  Dims result(dims->begin(), dims->end() - 2);
  result.push_back(minimum((*dims)[dims->size() - 2], dims->back()));
  context.set_shape(0, result);
}

// All diagonals of the later versions may be several, or lie beside the main one.
void matrix_to_diagonals(RuleContext& context) {
  const auto which = context.numbers(1);
  const bool main = which && (*which == std::vector<std::int64_t>{0});
  if (main) return matrix_to_diagonal(context);
}

// Diag doubles the dims, DiagPart halves them.
void doubled(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  Dims result = *dims;
  result.insert(result.end(), dims->begin(), dims->end());
  context.set_shape(0, result);
}

void halved(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  if (dims->size() % 2 != 0) return context.contradict();
  const std::size_t half = dims->size() / 2;
  Dims result;
  for (std::size_t i = 0; i < half; ++i) {
    const auto dim = meet((*dims)[i], (*dims)[half + i]);
    if (!dim) return context.contradict();
    result.push_back(*dim);
  }
  context.set_shape(0, result);
}

constexpr ShapeRuleEntry kArrayTable[] = {
    {"Reshape", reshape},
    {"ExpandDims", expand_dims},
    {"Squeeze", squeeze},
    {"Transpose ConjugateTranspose", transpose},
    {"Pad PadV2 MirrorPad", pad<1>},
    {"MirrorPadGrad", pad<-1>},
    {"Tile", tile},
    {"Fill", fill},
    {"EnsureShape", ensure_shape},
    {"OneHot", one_hot},
    {"MatrixDiag BatchMatrixDiag", diagonal_to_matrix},
    {"MatrixDiagV2 MatrixDiagV3", diagonal_to_sized_matrix},
    {"MatrixDiagPart BatchMatrixDiagPart", matrix_to_diagonal},
    {"MatrixDiagPartV2 MatrixDiagPartV3", matrix_to_diagonals},
    {"Diag", doubled},
    {"DiagPart", halved},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kArrayRules = kArrayTable;

}  // namespace tideline::shapes
