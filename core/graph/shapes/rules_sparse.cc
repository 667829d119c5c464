// Sparse tensors as triples of indices, values and dense shape, and parsed examples.

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// The rank of a sparse tensor: columns of its indices, or length of its shape.
Dim rank_of(const RuleContext& context, std::size_t indices, std::size_t shape) {
  const Dim columns = dim_at(context.shape(indices), 1);
  return columns.is_unknown() ? dim_at(context.shape(shape), 0) : columns;
}

void set_triple(RuleContext& context, std::size_t first, Dim count, Dim rank) {
  context.set_shape(first, Dims{count, rank});
  context.set_shape(first + 1, Dims{count});
  context.set_shape(first + 2, Dims{rank});
}

void part_or_sum(RuleContext& context) {
  set_triple(context, 0, Dim::unknown(), rank_of(context, 0, 2));
}

void concat(RuleContext& context) {
  const std::size_t count = context.input_count() / 3;
  if (count == 0) return;
  Dim total = Dim::of(0);
  Dim rank = Dim::unknown();
  for (std::size_t i = 0; i < count; ++i) {
    total = add(total, dim_at(context.shape(i), 0));
    const Dim here = rank_of(context, i, 2 * count + i);
    if (rank.is_unknown()) rank = here;
  }
  set_triple(context, 0, total, rank);
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

constexpr ShapeRuleEntry kSparseTable[] = {
    {"ParseExample ParseExampleV2", parse_example},
    {"ParseSingleExample", parse_single_example},
    {"SparseAdd SparseSlice", part_or_sum},
    {"SparseConcat", concat},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kSparseRules = kSparseTable;

}  // namespace tideline::shapes
