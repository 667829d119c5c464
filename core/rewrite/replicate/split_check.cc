// Tested by unit/rewrite/replicate/refusals_test.cc and unit/rewrite/replicate/split_test.cc.
#include "core/rewrite/replicate/split_check.h"

#include <array>
#include <string_view>

namespace tideline::replicate {
namespace {

Status check_dense(const Context& context, TensorId tensor) {
  const std::string name = context.graph.tensor_name(tensor);
  const Shape& shape = context.tensors.shape(tensor);
  if (shape.rank() == 0) {
    return fail(Code::kUnsupported,
                "{{split}}: '{}' is a scalar; expected a tensor whose first dimension is the "
                "batch",
                name);
  }
  if (shape.has_rank && shape.dims.front() != kUnknownDim) {
    return fail(Code::kUnsupported,
                "{{split}}: '{}' has the fixed batch size {} (shape {}), which constants of the "
                "graph depend on, such as the divisor of a mean; expected an unknown first "
                "dimension",
                name, shape.dims.front(), to_string(shape));
  }
  return {};
}

// `part` of a sparse tensor: 0 its indices, 1 its values, 2 its shape.
Status check_sparse(const Context& context, TensorId tensor, std::size_t part) {
  constexpr std::array<std::string_view, 3> kParts = {"indices", "values", "shape"};
  constexpr std::array<int, 3> kRanks = {2, 1, 1};
  const Shape& shape = context.tensors.shape(tensor);
  const bool has_rank = !shape.has_rank || shape.rank() == kRanks.at(part);
  const bool has_type = part == 1 || base_type(context.tensors.type(tensor)) == DataType::kInt64;
  if (!has_rank || !has_type) {
    return fail(Code::kUnsupported,
                "{{split}}: '{}' is {} {}; expected INDICES+VALUES+SHAPE, where the {} of a sparse "
                "tensor have rank {}{}",
                context.graph.tensor_name(tensor), data_type_name(context.tensors.type(tensor)),
                to_string(shape), kParts.at(part), kRanks.at(part),
                part == 1 ? "" : " and type int64");
  }
  const bool is_fixed = part == 2 ? context.kind(tensor.op) == OpKind::kConstant
                                  : shape.has_rank && shape.dims.front() != kUnknownDim;
  if (!is_fixed) return {};
  return fail(Code::kUnsupported,
              "{{split}}: the {} '{}' of a sparse tensor are fixed (shape {}), and constants of "
              "the graph may depend on them; expected what differs between batches",
              kParts.at(part), context.graph.tensor_name(tensor), to_string(shape));
}

}  // namespace

Status check_split(const Context& context, const Targets& targets) {
  for (const SplitInput& input : targets.inputs) {
    for (std::size_t part = 0; part < input.tensors.size(); ++part) {
      const TensorId tensor = input.tensors[part];
      const std::string name = context.graph.tensor_name(tensor);
      if (context.tensors.type(tensor) == DataType::kInvalid) {
        return fail(Code::kUnsupported, "{{split}}: the type of '{}' is unknown", name);
      }
      if (context.is_in_loop(tensor.op)) {
        return fail(Code::kUnsupported, "{{split}}: '{}' is inside a loop", name);
      }
      TIDELINE_RETURN_IF_ERROR(input.is_sparse() ? check_sparse(context, tensor, part)
                                                 : check_dense(context, tensor));
    }
  }
  return {};
}

}  // namespace tideline::replicate
