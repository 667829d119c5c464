// Sparse tensors as triples of indices, values and dense shape, and parsed examples.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

Dim sparse_dim(const Dims* dims, std::size_t at) {
  return dims != nullptr && at < dims->size() ? (*dims)[at] : Dim::unknown();
}

// The rank of a sparse tensor: columns of its indices, or length of its shape.
Dim rank_of(const RuleContext& context, std::size_t indices, std::size_t shape) {
  const Dim columns = sparse_dim(context.shape(indices), 1);
  return columns.is_unknown() ? sparse_dim(context.shape(shape), 0) : columns;
}

void set_triple(RuleContext& context, std::size_t first, Dim count, Dim rank) {
  context.set_shape(first, Dims{count, rank});
  context.set_shape(first + 1, Dims{count});
  context.set_shape(first + 2, Dims{rank});
}

void to_dense(RuleContext& context) {
  context.set_shape(0, shape_from_value(context, 1));
}

void sparse_reshape(RuleContext& context) {
  const Dim rank = sparse_dim(context.shape(2), 0);
  context.set_shape(0, Dims{sparse_dim(context.shape(0), 0), rank});
  context.set_shape(1, Dims{rank});
}

void reorder(RuleContext& context) {
  context.set_shape(0, context.fact(0).shape);
  context.set_shape(1, context.fact(1).shape);
}

void fill_empty_rows(RuleContext& context) {
  context.set_shape(0, Dims{Dim::unknown(), sparse_dim(context.shape(0), 1)});
  context.set_shape(1, Dims{Dim::unknown()});
  const Dims* shape = context.value(2);
  context.set_shape(2, Dims{sparse_dim(shape, 0)});
  context.set_shape(3, Dims{sparse_dim(context.shape(1), 0)});
}

void fill_empty_rows_gradient(RuleContext& context) {
  context.set_shape(0, Dims{sparse_dim(context.shape(0), 0)});
  context.set_shape(1, DimLists::scalar());
}

void sum_of_two(RuleContext& context) {
  set_triple(context, 0, Dim::unknown(), rank_of(context, 0, 2));
}

// Per element of the sparse tensor one number.
void dense_elementwise(RuleContext& context) {
  context.set_shape(0, Dims{sparse_dim(context.shape(0), 0)});
}

void softmax(RuleContext& context) {
  context.set_shape(0, context.fact(1).shape);
}

void add_dense(RuleContext& context) {
  context.set_shape(0, context.fact(3).shape);
}

void concat(RuleContext& context) {
  const std::size_t count = context.input_count() / 3;
  if (count == 0) return;
  Dim total = Dim::of(0);
  Dim rank = Dim::unknown();
  for (std::size_t i = 0; i < count; ++i) {
    total = add(total, sparse_dim(context.shape(i), 0));
    const Dim here = rank_of(context, i, 2 * count + i);
    if (rank.is_unknown()) rank = here;
  }
  set_triple(context, 0, total, rank);
}

void sparse_slice(RuleContext& context) {
  set_triple(context, 0, Dim::unknown(), rank_of(context, 0, 2));
}

// Keeps what the values say: a reduced sparse tensor of unknown rank.
void reduce_to_sparse(RuleContext& context) {
  set_triple(context, 0, Dim::unknown(), Dim::unknown());
}

void add_gradient(RuleContext& context) {
  context.set_shape(0, Dims{sparse_dim(context.shape(1), 0)});
  context.set_shape(1, Dims{sparse_dim(context.shape(2), 0)});
}

// Parsed examples: sparse features as triples, all indices first, then values, then shapes; then
// dense features, whose shapes are declared; then ragged ones.
void parsed(RuleContext& context, std::size_t sparse, const Dims& batch) {
  const auto rank = static_cast<std::int64_t>(batch.size()) + 1;
  for (std::size_t i = 0; i < sparse; ++i) {
    context.set_shape(i, Dims{Dim::unknown(), Dim::of(rank)});
    context.set_shape(sparse + i, Dims{Dim::unknown()});
    context.set_shape(2 * sparse + i, Dims{Dim::of(rank)});
  }
  std::size_t output = 3 * sparse;
  for (const DimsId shape : context.shape_list("dense_shapes")) {
    const Dims* dims = context.lists().find(shape);
    Dims dense = batch;
    if (dims != nullptr) dense.insert(dense.end(), dims->begin(), dims->end());
    if (dims != nullptr) context.set_shape(output, dense);
    ++output;
  }
  while (output < context.output_count()) context.set_shape(output++, Dims{Dim::unknown()});
}

bool has_count(const RuleContext& context, std::int64_t count) {
  return count >= 0 && count <= static_cast<std::int64_t>(context.output_count());
}

void parse_example(RuleContext& context) {
  const Dims* examples = context.shape(0);
  const bool later = context.type() == "ParseExampleV2";
  const std::int64_t sparse = context.integer(later ? "num_sparse" : "Nsparse", -1);
  if (examples == nullptr || !has_count(context, sparse)) return;
  parsed(context, static_cast<std::size_t>(sparse), *examples);
}

void parse_single_example(RuleContext& context) {
  const std::int64_t sparse = context.integer("num_sparse", -1);
  if (has_count(context, sparse)) parsed(context, static_cast<std::size_t>(sparse), {});
}

constexpr ShapeRuleEntry kSparseRules[] = {
    {"ParseExample ParseExampleV2", parse_example},
    {"ParseSingleExample", parse_single_example},
    {"SparseToDense", to_dense},
    {"SparseReshape", sparse_reshape},
    {"SparseReorder", reorder},
    {"SparseFillEmptyRows", fill_empty_rows},
    {"SparseFillEmptyRowsGrad", fill_empty_rows_gradient},
    {"SparseAdd", sum_of_two},
    {"SparseDenseCwiseMul SparseDenseCwiseDiv SparseDenseCwiseAdd", dense_elementwise},
    {"SparseSoftmax", softmax},
    {"SparseTensorDenseAdd", add_dense},
    {"SparseConcat", concat},
    {"SparseSlice", sparse_slice},
    {"SparseReduceSumSparse SparseReduceMaxSparse", reduce_to_sparse},
    {"SparseAddGrad", add_gradient},
};

}  // namespace

std::span<const ShapeRuleEntry> sparse_rules() {
  return kSparseRules;
}

}  // namespace tideline::shapes
