// Elementwise ops, and their gradients.
#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// Copies of the input, elements and handles included.
void pass_through(RuleContext& context) {
  context.set(0, context.fact(0));
}

void pass_all(RuleContext& context) {
  for (std::size_t i = 0; i < context.input_count(); ++i) context.set(i, context.fact(i));
}

void cast(RuleContext& context) {
  same_as_first(context);
  if (const Dims* elements = context.value(0)) set_exact_value(context, *elements, "DstT");
}

void bitcast(RuleContext& context) {
  const auto from = element_bytes(base_type(context.data_type("T")));
  const auto to = element_bytes(base_type(context.data_type("type")));
  const Dims* dims = context.shape(0);
  if (!from || !to || *from == 0 || *to == 0 || dims == nullptr) return;
  Dims result = *dims;
  if (*to < *from) {
    result.push_back(Dim::of(*from / *to));
  } else if (*to > *from) {
    if (result.empty()) return context.contradict();
    result.pop_back();
  }
  context.set_shape(0, result);
}

template <std::int64_t element>
void filled(RuleContext& context) {
  same_as_first(context);
  // An empty list is like any list.
  if (element == 0) context.set_handle(0, context.fact(0).handle);
  const Dims* dims = context.shape(0);
  if (dims == nullptr || dims->size() > 1) return;
  const Dim count = product(*dims);
  if (!count.is_number() || count.value() > static_cast<std::int64_t>(DimLists::kMaxLength)) return;
  set_exact_value(context, Dims(static_cast<std::size_t>(count.value()), Dim::of(element)));
}

// Gradients whose inputs all have the output's shape.
template <std::size_t count>
void meet_first(RuleContext& context) {
  meet_inputs(context, 0, count, 0);
}

void meet_all(RuleContext& context) {
  meet_inputs(context, 0, context.input_count(), 0);
  DimsId content = kPending;
  bool lists = context.input_count() > 0;
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    const Handle handle = context.fact(i).handle;
    lists = lists && handle.has_content();
    if (lists) content = join_lists(context.lists(), content, handle.value());
  }
  if (lists) context.set_handle(0, Handle::of_content(content));
}

// The result's shape stands in an attribute too.
void accumulate(RuleContext& context) {
  const DimsId declared = context.shape_attribute("shape");
  meet_all(context);
  if (!context.has_contradiction() && declared != kNothing) {
    context.set_shape(0, meet_shapes(context, declared, context.fact(0).shape));
  }
}

// One number a channel of the axis, or one for all.
void quantize(RuleContext& context) {
  same_as_first(context);
  const std::int64_t axis = context.integer("axis", -1);
  const Dims* dims = context.shape(0);
  DimsId range = DimLists::scalar();
  if (axis >= 0) {
    const bool known = dims != nullptr && axis < static_cast<std::int64_t>(dims->size());
    range = context.checked_id({known ? (*dims)[static_cast<std::size_t>(axis)] : Dim::unknown()});
  }
  context.set_shape(1, range);
  context.set_shape(2, range);
}

// A vector of conditions may choose whole rows; a scalar may choose all.
void select(RuleContext& context) {
  meet_inputs(context, 1, 2, 0);
  if (context.has_contradiction() || context.rank(0) < 2) return;
  meet_inputs(context, 0, 3, 0);
}

void select_broadcasting(RuleContext& context) {
  const DimsId branches = broadcast_shapes(context, context.fact(1).shape, context.fact(2).shape);
  context.set_shape(0, broadcast_shapes(context, branches, context.fact(0).shape));
  const auto condition = context.number(0);
  if (!condition || context.has_contradiction()) return;
  const std::size_t chosen = *condition != 0 ? 1 : 2;
  if (context.fact(1).shape == context.fact(2).shape) {
    if (const Dims* elements = context.value(chosen)) set_exact_value(context, *elements, "T");
  }
}

// Scalars stand for every element; all others have one shape.
void scalars_and_others(RuleContext& context) {
  DimsId common = DimLists::scalar();
  for (std::size_t i = 0; i < context.input_count(); ++i) {
    const DimsId shape = context.fact(i).shape;
    if (shape == kNothing) return;
    if (shape == DimLists::scalar()) continue;
    common = common == DimLists::scalar() ? shape : meet_shapes(context, common, shape);
  }
  if (!context.has_contradiction()) context.set_shape(0, common);
}

void fake_quant_gradient(RuleContext& context) {
  meet_inputs(context, 0, 2, 0);
  context.set_shape(1, context.fact(2).shape);
  context.set_shape(2, context.fact(3).shape);
}

constexpr ShapeRuleEntry kElementwiseTable[] = {
    {"Identity StopGradient PreventGradient RefIdentity Snapshot CheckNumerics "
     "CheckNumericsV2 DeepCopy Print DebugIdentity DebugGradientIdentity "
     "DebugGradientRefIdentity Copy CopyHost XlaSharding _CopyFromGpuToHost _CopyFromHostToGpu",
     pass_through},
    {"IdentityN", pass_all},
    // one input
    {"Cast _FusedCast", cast},
    {"Bitcast", bitcast},
    {"ZerosLike", filled<0>},
    {"OnesLike", filled<1>},
    {"StringJoin Betainc", scalars_and_others},
    {"QuantizeV2", quantize},
    {"FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannelGradient",
     fake_quant_gradient},
    // two inputs
    {"ApproximateEqual Cross AssignAdd AssignSub FakeQuantWithMinMaxArgsGradient", meet_first<2>},
    {"Select", select},
    {"SelectV2", select_broadcasting},
    // gradients
    {"ReluGrad Relu6Grad EluGrad SeluGrad LeakyReluGrad GeluGrad SoftplusGrad SoftsignGrad",
     meet_first<2>},
    // many inputs
    {"AddN TPUReplicatedInput", meet_all},
    {"AccumulateNV2", accumulate},
};

}  // namespace

constinit const std::span<const ShapeRuleEntry> kElementwiseRules = kElementwiseTable;

}  // namespace tideline::shapes
