// Reductions: sums, means, maxima, norms, losses.
#include <algorithm>

#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// Elements of a reduction of a whole small vector.
using Combine = Dim (*)(Dim, Dim);

Combine combine_of(std::string_view type) {
  if (type == "Prod") return multiply;
  if (type == "Sum") return add;
  if (type == "Max") return maximum;
  return type == "Min" ? minimum : nullptr;
}

void reduce_value(RuleContext& context) {
  const Dims* elements = context.value(0);
  const Combine combine = combine_of(context.type());
  if (elements == nullptr || combine == nullptr || context.rank(0) != 1) return;
  const bool has_neutral = context.type() == "Prod" || context.type() == "Sum";
  if (elements->empty() && !has_neutral) return;
  Dim all = !has_neutral ? elements->front() : Dim::of(context.type() == "Prod" ? 1 : 0);
  for (std::size_t i = has_neutral ? 0 : 1; i < elements->size(); ++i) {
    all = combine(all, (*elements)[i]);
  }
  set_exact_value(context, {all});
}

// Whether the axes are range(0, rank(x)) of the very input: all of them, whatever the rank.
bool reduces_all(const RuleContext& context) {
  const Graph& graph = context.graph();
  const auto inputs = graph.inputs(context.op());
  if (inputs.size() < 2 || graph.type(inputs[1].op) != "Range") return false;
  const auto range = graph.inputs(inputs[1].op);
  if (range.size() < 3 || graph.type(range[1].op) != "Rank") return false;
  const auto rank = graph.inputs(range[1].op);
  const auto is_constant = [&](TensorId tensor, std::int64_t wanted) {
    const auto content = context.constant_of(tensor.op);
    return content && content->elements && *content->elements == std::vector{wanted};
  };
  return !rank.empty() && rank[0] == inputs[0] && is_constant(range[0], 0) &&
         is_constant(range[2], 1);
}

void reduce(RuleContext& context) {
  const bool keep = context.boolean("keep_dims", false);
  const Dims* dims = context.shape(0);
  const Dims* axes = context.value(1);
  if (dims == nullptr) {
    if (!keep && reduces_all(context)) scalar(context);
    return;
  }
  if (axes == nullptr) {
    if (keep) return context.set_shape(0, RuleContext::unknown_dims(dims->size()));
    // Reducing a scalar gives a scalar.
    if (dims->empty()) scalar(context);
    return;
  }
  std::vector<bool> reduced(dims->size());
  for (const Dim axis : *axes) {
    if (!axis.is_number()) {
      if (keep) context.set_shape(0, RuleContext::unknown_dims(dims->size()));
      return;
    }
    const auto at = from_front(axis.value(), dims->size());
    if (!at) return context.contradict();
    reduced[*at] = true;
  }
  Dims result;
  for (std::size_t i = 0; i < dims->size(); ++i) {
    if (!reduced[i]) {
      result.push_back((*dims)[i]);
    } else if (keep) {
      result.push_back(Dim::of(1));
    }
  }
  context.set_shape(0, result);
  if (std::find(reduced.begin(), reduced.end(), false) == reduced.end()) reduce_value(context);
}

// Position of the largest along one axis.
void arg_extreme(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  if (dims->size() <= 1) return scalar(context);
  const auto axis = context.number(1);
  if (!axis) return context.set_shape(0, RuleContext::unknown_dims(dims->size() - 1));
  const auto at = from_front(*axis, dims->size());
  if (!at) return context.contradict();
  Dims result = *dims;
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(*at));
  context.set_shape(0, result);
}

// Losses [n] and gradients [n, classes] of logits [n, classes] and labels [n].
void sparse_cross_entropy(RuleContext& context) {
  const Dims* logits = context.shape(0);
  const Dims* labels = context.shape(1);
  if (labels != nullptr && labels->size() != 1) return context.contradict();
  if (logits != nullptr && logits->size() != 2) return context.contradict();
  const auto n = meet(dim_at(logits, 0), dim_at(labels, 0));
  if (!n) return context.contradict();
  context.set_shape(0, Dims{*n});
  context.set_shape(1, Dims{*n, dim_at(logits, 1)});
}

// The same with labels [n, classes]; either side may be broadcast.
void cross_entropy(RuleContext& context) {
  const DimsId both = broadcast_shapes(context, context.fact(0).shape, context.fact(1).shape);
  if (context.has_contradiction()) return;
  const Dims* dims = context.lists().find(both);
  if (dims != nullptr && dims->size() != 2) return context.contradict();
  const Dims known = dims == nullptr ? RuleContext::unknown_dims(2) : *dims;
  context.set_shape(0, Dims{known[0]});
  context.set_shape(1, known);
}

void top_k(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  if (dims->empty()) return context.contradict();
  Dims result = *dims;
  if (context.input_count() > 1) {
    result.back() = only_element(context, 1);
  } else {
    result.back() = Dim::of(context.integer("k", 0));
  }
  context.set_shape(0, result);
  context.set_shape(1, result);
}

// One less: a row gives one number. in_top_k, nth_element.
void without_last(RuleContext& context) {
  const Dims* dims = context.shape(0);
  if (dims == nullptr) return;
  if (dims->empty()) return context.contradict();
  context.set_shape(0, Dims(dims->begin(), dims->end() - 1));
}

void in_top_k(RuleContext& context) {
  const auto n = meet(dim_at(context.shape(0), 0), dim_at(context.shape(1), 0));
  if (!n) return context.contradict();
  context.set_shape(0, Dims{*n});
}

void dense_bin_count(RuleContext& context) {
  const std::int64_t rank = context.rank(0);
  const Dim bins = only_element(context, 1);
  if (rank == 1) context.set_shape(0, Dims{bins});
  if (rank == 2) context.set_shape(0, Dims{context.shape(0)->front(), bins});
}

constexpr ShapeRuleEntry kReductionTable[] = {
    {"Sum Mean Prod Max Min All Any EuclideanNorm ReduceJoin", reduce},
    {"ArgMax ArgMin", arg_extreme},
    {"SparseSoftmaxCrossEntropyWithLogits", sparse_cross_entropy},
    {"SoftmaxCrossEntropyWithLogits", cross_entropy},
    {"TopK TopKV2", top_k},
    {"NthElement", without_last},
    {"InTopK InTopKV2", in_top_k},
    {"DenseBincount", dense_bin_count},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kReductionRules = kReductionTable;

}  // namespace tideline::shapes
