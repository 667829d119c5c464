// Places the children of one box of the scopes view: columns in the direction of the flow, in as
// many lines as give a good shape.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/view/canvas.h"

namespace tideline::render {

/// A child. Sizes are in ems: `along` the flow, and `across` it.
struct ColumnItem {
  float along = 0, across = 0;
  bool is_aside = false;  ///< stands below the others, whatever it reads
};

/// Something that item `to` reads of item `from`.
struct ColumnEdge {
  std::uint32_t from = 0, to = 0;
  friend constexpr auto operator<=>(const ColumnEdge&, const ColumnEdge&) = default;
};

/// Where the items are.
struct Columns {
  std::vector<Point> at;  ///< by item: its corner of least x, along the flow, and least y, across
  float along = 0, across = 0;
  float aside_across = 0;  ///< where the strip of those aside begins; 0: there is none
};

inline constexpr float kColumnGap = 4.5F;  ///< between columns, for edges and what is said of them
inline constexpr float kItemGap = 0.9F;    ///< between what stands below each other

/// Items do not overlap. They stand in the order of the flow: an edge whose `from` is less than its
/// `to` leads to a later column; others are ignored. Cost: O(n log n + edges). Thread: pure.
[[nodiscard]] Columns place_in_columns(std::span<const ColumnItem> items,
                                       std::span<const ColumnEdge> edges);

}  // namespace tideline::render
