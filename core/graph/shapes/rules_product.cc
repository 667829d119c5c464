// Matrix products, Einsum and BiasAdd.
#include <map>

#include "core/base/parse.h"
#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// The last two dims of an input, swapped when it is transposed.
struct Matrix {
  Dim rows, columns;
};

Matrix matrix_of(const Dims* dims, bool transposed) {
  if (dims == nullptr || dims->size() < 2) return {};
  const Matrix matrix{(*dims)[dims->size() - 2], dims->back()};
  return transposed ? Matrix{matrix.columns, matrix.rows} : matrix;
}

// Rows, columns of a product; marks a contradiction when the inner dims differ.
Matrix multiply_matrices(RuleContext& context, const Matrix& a, const Matrix& b) {
  if (!meet(a.columns, b.rows)) context.contradict();
  return {a.rows, b.columns};
}

void matrix_product(RuleContext& context) {
  for (const std::size_t input : {0U, 1U}) {
    if (context.rank(input) >= 0 && context.rank(input) != 2) return context.contradict();
  }
  const Matrix product =
      multiply_matrices(context, matrix_of(context.shape(0), context.boolean("transpose_a", false)),
                        matrix_of(context.shape(1), context.boolean("transpose_b", false)));
  if (!context.has_contradiction()) context.set_shape(0, Dims{product.rows, product.columns});
}

void quantized_product(RuleContext& context) {
  matrix_product(context);
  context.set_shape(1, DimLists::scalar());
  context.set_shape(2, DimLists::scalar());
}

void batch_product(RuleContext& context) {
  const Dims* a = context.shape(0);
  const Dims* b = context.shape(1);
  if (a == nullptr || b == nullptr) return;
  if (a->size() < 2 || b->size() < 2) return context.contradict();
  const Matrix product = multiply_matrices(context, matrix_of(a, context.boolean("adj_x", false)),
                                           matrix_of(b, context.boolean("adj_y", false)));
  const DimsId outer = broadcast_shapes(context, context.checked_id(Dims(a->begin(), a->end() - 2)),
                                        context.checked_id(Dims(b->begin(), b->end() - 2)));
  const Dims* outer_dims = context.lists().find(outer);
  if (outer_dims == nullptr || context.has_contradiction()) return;
  Dims dims = *outer_dims;
  dims.push_back(product.rows);
  dims.push_back(product.columns);
  context.set_shape(0, dims);
}

void sparse_dense_product(RuleContext& context) {
  // indices, values, dense shape, dense matrix
  const Dims* sparse = context.value(2);
  const Dims* dense = context.shape(3);
  if (dense != nullptr && dense->size() != 2) return context.contradict();
  const Matrix a = matrix_of(sparse, context.boolean("adjoint_a", false));
  const Matrix b = matrix_of(dense, context.boolean("adjoint_b", false));
  const Matrix product = multiply_matrices(context, a, b);
  if (!context.has_contradiction()) context.set_shape(0, Dims{product.rows, product.columns});
}

// Position of the channels among `rank` dims.
std::size_t channel_axis(RuleContext& context, std::size_t rank) {
  const bool channels_first = context.text("data_format", "NHWC").starts_with("NC");
  return channels_first ? 1 : rank - 1;
}

void bias_add(RuleContext& context) {
  same_as_first(context);
  const Dims* dims = context.shape(0);
  const Dims* bias = context.shape(1);
  if (bias != nullptr && bias->size() != 1) return context.contradict();
  if (dims == nullptr || bias == nullptr) return;
  if (dims->size() < 2) return context.contradict();
  Dims result = *dims;
  const auto channels = meet(result[channel_axis(context, dims->size())], bias->front());
  if (!channels) return context.contradict();
  result[channel_axis(context, dims->size())] = *channels;
  context.set_shape(0, result);
}

void bias_add_gradient(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return context.set_shape(0, Dims{Dim::unknown()});
  if (dims->size() < 2) return context.contradict();
  context.set_shape(0, Dims{(*dims)[channel_axis(context, dims->size())]});
}

// One side of an Einsum equation: labels, with the ellipsis as '.'.
std::string labels_of(std::string_view text) {
  std::string labels;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("...")) {
      labels += '.';
      i += 2;
    } else if (text[i] != ' ') {
      labels += text[i];
    }
  }
  return labels;
}

// What is known of each label, and of the dims behind the ellipsis.
struct EinsumLabels {
  std::map<char, Dim> dims;
  DimsId ellipsis = DimLists::scalar();
  bool failed = false;

  void add(char label, Dim dim) {
    const auto [entry, is_new] = dims.try_emplace(label, dim);
    if (is_new) return;
    const auto met = meet(entry->second, dim);
    failed |= !met;
    if (met) entry->second = *met;
  }
};

void read_labels(RuleContext& context, const std::string& labels, std::size_t input,
                 EinsumLabels& known) {
  const Dims* dims = context.shape(input);
  const std::size_t dots = labels.find('.');
  const bool has_dots = dots != std::string::npos;
  if (dims == nullptr) {
    for (const char label : labels) {
      if (label != '.') known.add(label, Dim::unknown());
    }
    if (has_dots) known.ellipsis = kNothing;
    return;
  }
  const std::size_t named = labels.size() - (has_dots ? 1 : 0);
  if (dims->size() < named || (!has_dots && dims->size() != named)) {
    known.failed = true;
    return;
  }
  std::size_t at = 0;
  for (const char label : labels) {
    if (label != '.') {
      known.add(label, (*dims)[at++]);
      continue;
    }
    const std::size_t width = dims->size() - named;
    const auto begin = dims->begin() + static_cast<std::ptrdiff_t>(at);
    const Dims inner(begin, begin + static_cast<std::ptrdiff_t>(width));
    known.ellipsis = broadcast_shapes(context, known.ellipsis, context.checked_id(inner));
    at += width;
  }
}

void einsum(RuleContext& context) {
  const std::string equation = context.text("equation", "");
  const std::size_t arrow = equation.find("->");
  if (arrow == std::string::npos) return;
  EinsumLabels known;
  std::string_view inputs = std::string_view(equation).substr(0, arrow);
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    read_labels(context, labels_of(take_until(inputs, ',')), i, known);
  }
  if (known.failed) return context.contradict();
  if (context.has_contradiction()) return;
  Dims result;
  for (const char label : labels_of(std::string_view(equation).substr(arrow + 2))) {
    if (label != '.') {
      result.push_back(known.dims[label]);
      continue;
    }
    const Dims* inner = context.lists().find(known.ellipsis);
    if (inner == nullptr) return;
    result.insert(result.end(), inner->begin(), inner->end());
  }
  context.set_shape(0, result);
}

constexpr ShapeRuleEntry kProductTable[] = {
    {"MatMul SparseMatMul", matrix_product},
    {"QuantizedMatMul", quantized_product},
    {"_FusedMatMul", matrix_product},
    {"BatchMatMul BatchMatMulV2 BatchMatMulV3", batch_product},
    {"SparseTensorDenseMatMul", sparse_dense_product},
    {"BiasAdd", bias_add},
    {"BiasAddGrad", bias_add_gradient},
    {"Einsum XlaEinsum", einsum},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kProductRules = kProductTable;

}  // namespace tideline::shapes
