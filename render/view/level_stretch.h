// A stretch of levels that was chosen in the views of levels and memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "render/view/axis.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"
#include "render/view/scene.h"

namespace tideline::render {

/// What happens in a stretch, a line each: its levels, the memory of the device with index `device`
/// and of the host, the copies that leave and come back. Both ends are included. Cost: O(steps +
/// swap-ins). Thread: pure.
[[nodiscard]] std::vector<std::string> level_stretch_lines(const Scene& scene, std::size_t device,
                                                           std::int32_t from, std::int32_t to);

struct LevelStretchLook {
  Axis axis;
  Rect area;
  const Palette* palette = nullptr;
  float font_px = 15;
  std::int32_t from = 0, to = 0;   ///< both included
  bool is_limit = false;           ///< tables are limited to it
  std::vector<std::string> lines;  ///< empty: only the stretch
};

/// Draws lines on a ground of their own at the top of `area`, from `x` on as far as there is room.
void draw_stretch_lines(Canvas& canvas, const Palette& colors, float font_px, Rect area, float x,
                        std::span<const std::string> lines);
/// Draws the stretch over a chart, with the lines in its top corner.
void draw_level_stretch(Canvas& canvas, const LevelStretchLook& look);

}  // namespace tideline::render
