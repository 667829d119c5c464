#include "tests/unit/graph/shapes/shapes_of.h"

#include <catch2/catch.hpp>

#include "core/graph/tensor_table.h"

namespace tideline::test {

ShapesOf::ShapesOf(std::string_view text, const FunctionLibrary* functions)
    : document_(read_graph(text)) {
  const auto tensors = TensorTable::build(document_.graph, {});
  REQUIRE(tensors);
  first_.push_back(0);
  for (const OpId op : document_.graph.ops()) {
    first_.push_back(first_.back() + tensors->output_count(op));
  }
  InferenceInput input{document_.graph, first_};
  input.functions = functions;
  result_ = infer_shapes(input, lists_);
}

std::string ShapesOf::operator()(const std::string& tensor) const {
  const std::size_t colon = tensor.find(':');
  const OpId wanted = op(document_, tensor.substr(0, colon));
  const std::size_t slot = colon == std::string::npos ? 0 : std::stoul(tensor.substr(colon + 1));
  REQUIRE(first_[wanted.index()] + slot < first_[wanted.index() + 1]);
  const Dims* dims = lists_.find(result_.shapes[first_[wanted.index()] + slot]);
  if (dims == nullptr) return "?";
  std::string text;
  for (const Dim dim : *dims) text += (text.empty() ? "" : ",") + to_string(dim);
  return "[" + text + "]";
}

}  // namespace tideline::test
