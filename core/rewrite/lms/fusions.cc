// Source: TensorFlow 2.15, tensorflow/core/grappler: optimizers/remapper.cc (contractions and what
// it fuses with them; an op with control edges is left: HasControlFaninOrFanout),
// optimizers/arithmetic_optimizer.cc (AddOpsRewrite, HoistCommonFactor, UnaryOpsComposition,
// reordering of casts, reshapes and transposes) and optimizers/constant_folding.cc (shapes,
// constants, neutral elements). By name of type, not by place: an op of such a type may have been
// left alone anyway, so some triggers are moved without need, and none is kept that changes bits.
// Tested by unit/rewrite/keep_fusion_test.cc and, on TensorFlow, integration/functions_worker.py.
#include "core/rewrite/lms/fusions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/parse.h"

namespace tideline {
namespace {

// The remapper merges these with a bias, an activation, a normalisation behind them or a padding
// before them.
constexpr std::string_view kContractions =
    "Conv2D Conv3D DepthwiseConv2dNative MatMul BatchMatMul BatchMatMulV2 Einsum BiasAdd "
    "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 FusedBatchNormGrad FusedBatchNormGradV2 "
    "FusedBatchNormGradV3 Squeeze Pad _FusedConv2D _FusedMatMul";

// Element by element, of shapes, or of layout: fused behind a contraction, folded, composed, or
// regrouped.
constexpr std::string_view kArithmetic =
    "Add AddV2 AddN Sub Mul RealDiv Div Maximum Minimum Pow Square Neg Exp Log Sqrt Rsqrt "
    "Reciprocal Abs Sign Tanh Sigmoid Relu Relu6 Elu Selu LeakyRelu Softplus Softsign Erf Erfc Sin "
    "Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Log1p Expm1 Inv Floor Ceil Round Rint Cast "
    "Reshape Transpose ExpandDims Identity IdentityN StopGradient Const Shape Fill ZerosLike "
    "OnesLike LogicalNot LogicalAnd LogicalOr Equal NotEqual Greater GreaterEqual Less LessEqual "
    "Pack Concat ConcatV2 Split Slice StridedSlice Tile BroadcastTo";

// Sums that are taken apart and put together anew, and what they are taken of: sums of sums, and
// products with a common factor.
constexpr std::string_view kSums = "Add AddV2";
constexpr std::string_view kSummed = "Add AddV2 AddN Sub Neg Mul RealDiv Div";

constexpr std::string_view kKind = "fusion";

// Constants are pushed down chains of such ops: (x * 2) * 3 becomes x * 6.
bool has_constant(const Graph& graph, OpId op) {
  if (!has_word(kSummed, graph.type(op))) return false;
  for (const TensorId input : graph.inputs(op)) {
    if (graph.type(input.op) == "Const") return true;
  }
  return false;
}

}  // namespace

bool is_fused_type(std::string_view type) {
  return has_word(kContractions, type) || has_word(kArithmetic, type);
}

std::vector<bool> fused_types(const Graph& graph) {
  std::vector<bool> fused;
  for (const std::string_view type : graph.types()) fused.push_back(is_fused_type(type));
  return fused;
}

bool may_be_merged(const Graph& graph, OpId producer, OpId consumer) {
  const std::string_view type = graph.type(consumer);
  if (type == "AddN") return true;
  if (has_word(kSums, type) && has_word(kSummed, graph.type(producer))) return true;
  return has_constant(graph, producer) && has_constant(graph, consumer);
}

bool is_of_tensorflow2(const Graph& graph) {
  for (const OpId op : graph.ops()) {
    if (graph.name(op).find("gradient_tape/") != std::string_view::npos) return true;
  }
  return false;
}

void note_undone_fusions(const Graph& graph, bool keeps_fusion, LmsPlan& plan) {
  if (plan.edit.control.empty() || (!keeps_fusion && !is_of_tensorflow2(graph))) return;
  const std::vector<bool> fused = fused_types(graph);
  std::vector<OpId> undone;
  for (const ControlEdge& edge : plan.edit.control) {
    for (const OpId op : {edge.op, edge.after}) {
      if (op.index() < graph.op_count() && fused[graph.type_id(op)]) undone.push_back(op);
    }
  }
  std::sort(undone.begin(), undone.end());
  undone.erase(std::unique(undone.begin(), undone.end()), undone.end());
  if (undone.empty()) return;
  Warning warning{
      std::string(kKind),
      fmt::format("{} {} that TensorFlow's graph optimizer may fuse or fold {} control edges by "
                  "the plan, and so {} left alone: the last bits of results may differ",
                  undone.size(), undone.size() == 1 ? "op" : "ops",
                  undone.size() == 1 ? "gets" : "get", undone.size() == 1 ? "is" : "are"),
      keeps_fusion ? "" : "keep-fusion", static_cast<std::int64_t>(undone.size())};
  for (const OpId op : undone) {
    if (warning.places.size() == kMostWarningPlaces) break;
    warning.places.emplace_back(graph.name(op));
  }
  plan.warnings.push_back(std::move(warning));
}

void note_never_woken(const Graph& graph, std::vector<KeptTensor> kept, LmsPlan& plan) {
  if (kept.empty()) return;
  Warning warning{std::string(kKind),
                  fmt::format("{{keep-fusion}}: {} {} not swapped, because {}", kept.size(),
                              kept.size() == 1 ? "tensor is" : "tensors are", kNothingWakes),
                  {},
                  static_cast<std::int64_t>(kept.size())};
  for (const KeptTensor& tensor : kept) {
    if (warning.places.size() == kMostWarningPlaces) break;
    warning.places.emplace_back(graph.name(tensor.tensor.op));
  }
  plan.warnings.push_back(std::move(warning));
  plan.not_swapped = std::move(kept);
}

}  // namespace tideline
