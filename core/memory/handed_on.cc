// Source: TensorFlow's kernels (behaviour only): TransposeOp copies nothing if the order of the
// axes with more than one element stays the same. Tested by unit/memory/faithful_test.cc.
#include "core/memory/handed_on.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tideline {
namespace {

// The elements of a Const that `op` reads; nullopt for others.
std::optional<std::vector<std::int64_t>> constant(const Graph& graph, TensorId tensor) {
  if (graph.type(tensor.op) != "Const") return std::nullopt;
  const auto value = graph.attribute(tensor.op, "value");
  if (!value || !*value) return std::nullopt;
  constexpr std::size_t kMostAxes = 254;
  const auto content = graph.codec().tensor_content((*value)->encoded, kMostAxes);
  if (!content || !*content) return std::nullopt;
  return (*content)->elements;
}

// The dims that may have more than one element.
std::vector<std::int64_t> long_dims(const Shape& shape) {
  std::vector<std::int64_t> dims = shape.dims;
  std::erase(dims, 1);
  return dims;
}

bool moves_only_single(const Graph& graph, const TensorTable& tensors, OpId op) {
  const auto inputs = graph.inputs(op);
  if (inputs.size() != 2) return false;
  const Shape& shape = tensors.shape(inputs[0]);
  if (!shape.has_rank) return false;
  const std::vector<std::int64_t> before = long_dims(shape);
  if (before.size() <= 1) return true;
  if (const auto order = constant(graph, inputs[1])) {
    if (order->size() != shape.dims.size()) return false;
    std::vector<std::int64_t> axes;
    for (const std::int64_t axis : *order) {
      if (axis < 0 || axis >= static_cast<std::int64_t>(shape.dims.size())) return false;
      if (shape.dims[static_cast<std::size_t>(axis)] != 1) axes.push_back(axis);
    }
    return std::is_sorted(axes.begin(), axes.end());
  }
  // A computed permutation shows in the result where all dims differ.
  const Shape& after = tensors.shape({op, 0});
  std::vector<std::int64_t> sorted = before;
  std::sort(sorted.begin(), sorted.end());
  const bool differ = sorted.front() != kUnknownDim &&
                      std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  return differ && after.has_rank && long_dims(after) == before;
}

}  // namespace

bool hands_on(const Graph& graph, const TensorTable& tensors, const OpFacts& facts, OpId op) {
  constexpr std::array<std::string_view, 6> kTypes = {"Cast",  "BroadcastTo", "Pad",
                                                      "PadV2", "Slice",       "Tile"};
  const std::string_view type = graph.type(op);
  if (facts.maybe.empty()) return false;
  if (type == "Transpose") return moves_only_single(graph, tensors, op);
  if (facts.kind == OpKind::kReduce) return type != "EuclideanNorm";
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

}  // namespace tideline
