// Helpers shared by the shape rules.
#pragma once

#include <optional>
#include <string>

#include "core/graph/shapes/rules.h"

namespace tideline::shapes {

/// Rule: output 0 has the shape of input 0.
void same_as_first(RuleContext& context);
/// Rule: output 0 is a scalar.
void scalar(RuleContext& context);
/// Sets `output` to the shape that inputs [first, first + count) must share; contradicts when they
/// differ.
void meet_inputs(RuleContext& context, std::size_t first, std::size_t count, std::size_t output);

/// Shape of an elementwise op on both; kNothing when either rank is unknown. Contradicts when they
/// do not broadcast.
[[nodiscard]] DimsId broadcast_shapes(RuleContext& context, DimsId a, DimsId b);
/// The combined knowledge of both shapes; contradicts when they differ.
[[nodiscard]] DimsId meet_shapes(RuleContext& context, DimsId a, DimsId b);

/// The shape whose dims are the elements of an input. Unknown or negative elements are unknown
/// dims; the rank is unknown when the number of elements is.
[[nodiscard]] DimsId shape_from_value(RuleContext& context, std::size_t input);

/// A dim of a list that may be null; unknown where there is none.
[[nodiscard]] Dim dim_at(const Dims* dims, std::size_t at);
/// The element of an input that has one; else unknown.
[[nodiscard]] Dim only_element(const RuleContext& context, std::size_t input);

/// Product of all dims; 1 for none.
[[nodiscard]] Dim product(const Dims& dims);
/// Product of dims [first, last).
[[nodiscard]] Dim product(const Dims& dims, std::size_t first, std::size_t last);

/// `axis`, negative from the end, as an index from the front; nullopt when it is out of range.
[[nodiscard]] std::optional<std::size_t> from_front(std::int64_t axis, std::size_t rank);

/// Sets the elements of output 0, unless the element type (the attribute named `type`) cannot
/// represent them exactly.
void set_exact_value(RuleContext& context, Dims elements, std::string_view type = "T");

/// A sliding window over one dim, as of a convolution or pooling op.
struct Window {
  Dim size;  ///< of the window, before dilation
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t before = 0;  ///< explicit padding
  std::int64_t after = 0;
  enum class Padding { kValid, kSame, kExplicit, kOther } padding = Padding::kValid;
};
/// The output dim of a window that slides over `input`.
[[nodiscard]] Dim slide(Dim input, const Window& window);
/// "VALID", "SAME", "EXPLICIT"; kOther for everything else.
[[nodiscard]] Window::Padding padding_of(const std::string& text);

}  // namespace tideline::shapes
