// The colours of the level view when they say something else than phases and parts.
#pragma once

#include <cstdint>
#include <vector>

#include "render/view/op_colors.h"
#include "render/view/op_layout.h"

namespace tideline::render {

/// Kinds, as numbers of OpColors::colors.
struct LevelsPaint {
  OpColors ops;
  std::vector<std::uint8_t> boxes;               ///< by OpLayout::boxes
  std::vector<std::vector<std::uint8_t>> cells;  ///< by OpLayout::bins, then by their cells
};

/// A box or a cell has the kind of most of its bytes; a cell of several levels that of the highest
/// one, as its height. Cost: O(ops). Thread: pure.
[[nodiscard]] LevelsPaint paint_levels(const Scene& scene, const OpLayout& layout,
                                       const Palette& colors, ColorBy by);

}  // namespace tideline::render
