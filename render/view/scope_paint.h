// The colours of the boxes of the scopes view, and what they mean.
#pragma once

#include <cstdint>
#include <vector>

#include "render/view/legend.h"
#include "render/view/palette.h"
#include "render/view/scope_layout.h"
#include "render/view/scopes_part.h"

namespace tideline::render {

struct ScopePaint {
  std::vector<Color> fill;             ///< by ScopeLayout::placed; of open boxes: their hue
  std::vector<std::uint32_t> swapped;  ///< tensors of its ops that the plan or the file swaps
  std::vector<bool> is_idle;           ///< no op of it ran in the traced step; empty without one
  std::vector<LegendEntry> legend;     ///< of the colours
};

/// A box has the colour of most of its ops (of types that share one in color_ops, together). Cost:
/// O(ops + n log n) in what is seen. Thread: pure.
[[nodiscard]] ScopePaint paint_scopes(const Scene& scene, const ScopeBoxes& boxes,
                                      const ScopeLayout& layout, const Palette& colors, ColorBy by);

}  // namespace tideline::render
