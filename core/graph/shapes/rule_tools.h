// What the shape rules share.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "core/graph/shapes/rules.h"

namespace tideline::shapes {

/// Output 0 has the shape of input 0.
void same_as_first(RuleContext& context);
/// Output 0 is a scalar.
void scalar(RuleContext& context);
/// Output 0 has the shape that two inputs have in common; a contradiction when they differ.
void meet_inputs(RuleContext& context, std::size_t first, std::size_t count, std::size_t output);

/// Shape of an elementwise op on both; kNothing when either rank is unknown. Marks contradictions.
[[nodiscard]] DimsId broadcast_shapes(RuleContext& context, DimsId a, DimsId b);
/// What both shapes say; marks contradictions.
[[nodiscard]] DimsId meet_shapes(RuleContext& context, DimsId a, DimsId b);

/// The shape whose dims are the elements of an input; where they are unknown, so are the dims, and
/// the rank too when even their number is unknown. Negative elements are unknown dims.
[[nodiscard]] DimsId shape_from_value(RuleContext& context, std::size_t input);

/// Product of all dims; 1 for none.
[[nodiscard]] Dim product(const Dims& dims);
/// Product of dims [first, last).
[[nodiscard]] Dim product(const Dims& dims, std::size_t first, std::size_t last);

/// `axis` counted from the front for `rank` dims; nothing when it is outside.
[[nodiscard]] std::optional<std::size_t> from_front(std::int64_t axis, std::size_t rank);

/// Sets the elements of output 0, unless the element type (an attribute called `type`) cannot
/// hold them exactly.
void set_exact_value(RuleContext& context, Dims elements, std::string_view type = "T");

/// How an output dim follows from an input dim where a window slides over it.
struct Window {
  Dim size;  ///< of the window, before dilation
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t before = 0;  ///< explicit padding
  std::int64_t after = 0;
  enum class Padding { kValid, kSame, kExplicit, kOther } padding = Padding::kValid;
};
[[nodiscard]] Dim slide(Dim input, const Window& window);
[[nodiscard]] Window::Padding padding_of(const std::string& text);

}  // namespace tideline::shapes
