// Infers the shapes of a graph written as text, for the tests of rules.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/graph/shapes/inference.h"
#include "tests/support/graph_text.h"

namespace tideline::test {

/// Shapes by tensor, "x" for output 0 and "x:1": "[2,B,?]", "?" for an unknown rank. Recorded
/// shapes of the text ("f32[2]") do not count as known.
class ShapesOf {
 public:
  explicit ShapesOf(std::string_view text, const FunctionLibrary* functions = nullptr);

  [[nodiscard]] std::string operator()(const std::string& tensor) const;
  [[nodiscard]] const InferredShapes& result() const { return result_; }

 private:
  io::Document document_;
  std::vector<std::uint32_t> first_;
  DimLists lists_;
  InferredShapes result_;
};

}  // namespace tideline::test
