// Floating-point operations of an op.
//
// Problem: the cost of an op that is limited by arithmetic, without reading its attributes.
// Idea: the relevant ops are sums of products, and the number of products follows from numbers of
// elements. Strides, paddings, dilations, groups, layouts and transpositions need not be known,
// because the shapes of the tensors reflect them already.
//
//   convolution  each element of the output is a sum over the filter's elements of one output
//                channel: 2 * elements(output) * elements(filter) / output channels. The last dim
//                of the filter is its output channels, whatever the layout of the images. The
//                gradients of input and filter combine the same pairs of elements; there the
//                incoming gradient takes the place of the output, and a transposed convolution is
//                the gradient of an input.
//   depthwise    the filter ends in input channels and multiplier; an element of the output belongs
//                to one pair of them.
//   product      a [m,k], b [k,n] or their transposes: 2 * m * k * n = 2 * elements(out) * k, where
//                k is the dim of matrix a other than the m rows of the output, or of b other than
//                the n columns.
//   weights      a recurrent block multiplies each row of its input (a time step of an example),
//                joined to a row of its state, by all weights: 2 * rows * elements(weights). Its
//                gradient does so twice if it also computes the gradient of the weights.
//
// Example: x [64,56,56,64] with a filter [3,3,64,64] to [64,56,56,64] at stride 1:
//          2 * 12845056 * 36864 / 64 = 14797504512.
// Limits: real kernels may do less or more (Winograd and Fourier convolutions multiply less;
// products with padding zeros are counted here). CudnnRNN keeps weights and biases in one tensor,
// so biases, a percent or less, count as weights. A batch matrix product that broadcasts is counted
// with the batch of its output. Bodies of called functions are not included. Source: the
// definitions of the ops in TensorFlow's API documentation (tf.nn.conv2d, tf.nn.depthwise_conv2d,
// tf.linalg.matmul, tf.raw_ops.BlockLSTM, tf.raw_ops.GRUBlockCell, tf.raw_ops.CudnnRNN). Tested by
// unit/graph/op_flops_test.cc.
#include "core/graph/op_flops.h"

namespace tideline {
namespace {

constexpr double kPerMultiplyAdd = 2;
constexpr double kPerComplexMultiplyAdd = 8;  // 4 products, 2 sums, and 2 for adding both parts

class Sizes {
 public:
  Sizes(const Graph& graph, const TensorTable& tensors, const OpFacts& facts, OpId op)
      : graph_(graph), tensors_(tensors), facts_(facts), op_(op) {}

  // The tensor at `at` of the rule, if the op has it and its rank is known.
  [[nodiscard]] std::optional<TensorId> tensor(std::size_t at) const {
    const OpArgument argument = facts_.flops_of[at];
    std::optional<TensorId> found;
    if (argument.is_output) {
      // No rule names an output that stands behind a list.
      if (argument.position < tensors_.output_count(op_)) found = TensorId{op_, argument.position};
    } else if (const auto slots = argument_slots(graph_, op_, argument.position);
               slots && slots->count == 1 && slots->first < graph_.inputs(op_).size()) {
      found = graph_.inputs(op_)[slots->first];
    }
    if (found && !tensors_.shape(*found).has_rank) return std::nullopt;
    return found;
  }

  // How many elements its bytes are; 0 when that is not known.
  [[nodiscard]] double elements(std::size_t at) const {
    const auto id = tensor(at);
    if (!id) return 0;
    const std::int64_t size = element_bytes(base_type(tensors_.type(*id))).value_or(0);
    return size > 0 ? static_cast<double>(tensors_.bytes(*id)) / static_cast<double>(size) : 0;
  }

  // Dim `back` from the end, 1 for the last; 0 when there is none or it is not known.
  [[nodiscard]] double dim_from_end(std::size_t at, std::size_t back) const {
    const auto id = tensor(at);
    if (!id) return 0;
    const auto& dims = tensors_.shape(*id).dims;
    if (dims.size() < back || dims[dims.size() - back] == kUnknownDim) return 0;
    return static_cast<double>(dims[dims.size() - back]);
  }

  // Elements of each matrix of a batch.
  [[nodiscard]] double matrix(std::size_t at) const {
    const auto id = tensor(at);
    if (!id) return 0;
    // A dim of a single matrix may be a multiple of the batch, which its bytes know.
    if (tensors_.shape(*id).rank() == 2) return elements(at);
    return dim_from_end(at, 1) * dim_from_end(at, 2);
  }

  [[nodiscard]] DataType type() const {
    const auto id = tensor(0);
    return id ? base_type(tensors_.type(*id)) : DataType::kInvalid;
  }

 private:
  const Graph& graph_;
  const TensorTable& tensors_;
  const OpFacts& facts_;
  OpId op_;
};

double quotient(double value, double by) {
  return by > 0 ? value / by : 0;
}

// Sums that are not known are 0.
double multiply_adds(const Sizes& sizes, const OpFacts& facts) {
  switch (facts.flops_rule) {
    case FlopsRule::kNone: break;
    case FlopsRule::kConvolution:
      return quotient(sizes.elements(1) * sizes.elements(0), sizes.dim_from_end(0, 1));
    case FlopsRule::kDepthwise:
      return quotient(sizes.elements(1) * sizes.elements(0),
                      sizes.dim_from_end(0, 1) * sizes.dim_from_end(0, 2));
    case FlopsRule::kProduct: {
      double inner = quotient(sizes.matrix(0), sizes.dim_from_end(2, 2));
      if (inner == 0) inner = quotient(sizes.matrix(1), sizes.dim_from_end(2, 1));
      return sizes.elements(2) * inner;
    }
    case FlopsRule::kWeights: {
      double weights = 0;
      for (std::size_t at = 1; at < facts.flops_of.size(); ++at) weights += sizes.elements(at);
      return weights * quotient(sizes.elements(0), sizes.dim_from_end(0, 1));
    }
  }
  return 0;
}

}  // namespace

OpFlops op_flops(const Graph& graph, const TensorTable& tensors, const OpFacts& facts, OpId op) {
  if (facts.flops_rule == FlopsRule::kNone) return {};
  const Sizes sizes(graph, tensors, facts, op);
  const double count = multiply_adds(sizes, facts);
  const DataType type = sizes.type();
  if (count == 0) return {};
  switch (type) {
    case DataType::kComplex64: return {count * kPerComplexMultiplyAdd, DataType::kFloat};
    case DataType::kComplex128: return {count * kPerComplexMultiplyAdd, DataType::kDouble};
    default: return {count * kPerMultiplyAdd, type};
  }
}

}  // namespace tideline
