// A tensor of unknown rank is often read by an op that accepts a single rank: for example, the
// product of a matrix and a fed number of unknown rank goes into a MatMul. The input of a MatMul
// must be a matrix, with as many columns as the other one has rows, or the step fails.
#include "core/graph/shapes/demands.h"

#include <algorithm>
#include <iterator>

namespace tideline {
namespace {

struct Demand {
  std::string_view type;
  std::size_t input = 0;
  std::size_t rank = 0;
};

constexpr Demand kDemands[] = {
    {"Conv2D", 0, 4},
    {"Conv2D", 1, 4},
    {"Conv3D", 0, 5},
    {"Conv3D", 1, 5},
    {"MatMul", 0, 2},
    {"MatMul", 1, 2},
    {"MaxPool", 0, 4},
    {"AvgPool", 0, 4},
    {"MaxPool3D", 0, 5},
    {"AvgPool3D", 0, 5},
    {"DepthwiseConv2dNative", 0, 4},
    {"DepthwiseConv2dNative", 1, 4},
    {"FusedBatchNorm", 0, 4},
    {"FusedBatchNormV2", 0, 4},
    {"SparseSoftmaxCrossEntropyWithLogits", 0, 2},
    {"SparseSoftmaxCrossEntropyWithLogits", 1, 1},
};

// What the other matrix says of the inner dim.
DimsId matrix_for_product(RuleContext& context, std::size_t input) {
  Dims demanded(2);
  const Dims* other = context.shape(1 - input);
  if (other != nullptr && other->size() == 2) {
    const bool transposes[2] = {context.boolean("transpose_a", false),
                                context.boolean("transpose_b", false)};
    // Inner: columns of the first, rows of the second.
    const std::size_t inner_of[2] = {transposes[0] ? 0U : 1U, transposes[1] ? 1U : 0U};
    demanded[inner_of[input]] = (*other)[inner_of[1 - input]];
  }
  return context.checked_id(demanded);
}

}  // namespace

bool makes_demands(std::string_view type) {
  return std::any_of(std::begin(kDemands), std::end(kDemands),
                     [&](const Demand& demand) { return demand.type == type; });
}

DimsId demanded_shape(RuleContext& context, std::size_t input) {
  if (context.type() == "MatMul" && input < 2) return matrix_for_product(context, input);
  for (const Demand& demand : kDemands) {
    if (demand.type == context.type() && demand.input == input) {
      return context.checked_id(RuleContext::unknown_dims(demand.rank));
    }
  }
  return kNothing;
}

}  // namespace tideline
