// The end of a swap's bar in the level view, which can be moved: where the tensor is back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "render/view/levels_view.h"

namespace tideline::render {

/// Where a swap-in of the plan may be back.
struct BarEnd {
  std::uint32_t span = 0;                                  ///< index of SwapLayout::spans
  std::int32_t first_level = 0, last_level = 0;            ///< both included
  [[nodiscard]] std::int32_t nearest(double level) const;  ///< that it may have
};

/// The end of a bar, or the tick of an earlier swap-in on it, at `point`. Swaps that the file
/// holds, and those without a level between both copies, have none. Cost: as placing the bars.
/// Thread: pure.
[[nodiscard]] std::optional<BarEnd> bar_end_at(const LevelsLook& look, Point point);
/// The end of the swap-in with number `swap_in` of `tensor`, wherever it is; nullopt if there is no
/// such swap-in any more.
[[nodiscard]] std::optional<BarEnd> bar_end_of(const LevelsLook& look, TensorId tensor,
                                               std::uint32_t swap_in);

/// Draws where the bar would end, with `text` beside it. Cost: as placing the bars.
void draw_moved_end(Canvas& canvas, const LevelsLook& look, const BarEnd& end, std::int32_t level,
                    const std::string& text);

}  // namespace tideline::render
