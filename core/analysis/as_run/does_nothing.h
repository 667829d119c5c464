// Ops whose output is their first input, always or for some shapes and arguments.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/graph/graph.h"
#include "core/graph/shapes/dim_lists.h"

namespace tideline {

/// When an op of a type does nothing.
enum class DoesNothingIf : std::uint8_t {
  kNever,
  kAlways,     ///< Identity
  kSameShape,  ///< Reshape, Tile: input and output have one shape
  kNoAxes,     ///< Sum: no axis is reduced
  kSameType,   ///< Cast
  kOneInput,   ///< AddN
  kInOrder,    ///< Transpose: the axes stay in their order
};

/// By op type. Cost: a few comparisons.
[[nodiscard]] DoesNothingIf does_nothing_if(std::string_view type);

/// What is known of one op: shapes, and the elements of its second input (kNothing: not known).
struct FoldedOpView {
  const Graph& graph;
  OpId op;
  const DimLists& lists;
  DimsId shape = kNothing;
  DimsId input_shape = kNothing;
  DimsId argument = kNothing;
};
[[nodiscard]] bool does_nothing(DoesNothingIf rule, const FoldedOpView& view);

/// Whether the inputs of an op type may change places.
[[nodiscard]] bool is_commutative(std::string_view type);

}  // namespace tideline
