// The link track: the copies of a step as a row for each direction, and a row of the computation
// with what it waits for, along an axis of levels or of time.
#pragma once

#include <optional>

#include "render/view/axis.h"
#include "render/view/canvas.h"
#include "render/view/hit.h"
#include "render/view/link_layout.h"
#include "render/view/palette.h"

namespace tideline::render {

/// What one frame of it is drawn with. Pointers are not null and must outlive this.
struct LinkTrack {
  const LinkLayout* link = nullptr;
  const Palette* palette = nullptr;
  Rect area = {};
  Axis axis = {};
  double end = 0;              ///< position at which the step ends
  double ns_per_position = 0;  ///< of an axis of time; 0: an axis of levels
  float font_px = 15;
  std::optional<TensorId> selected = {}, hovered = {};
};

/// The height of the track with its heading.
[[nodiscard]] float link_height_px(float font_px);
/// Nothing without an area. Cost: O(pixels + copies). Thread: pure.
void draw_link_track(Canvas& canvas, const LinkTrack& track);
/// The copy, the stall or the bar of the step that is drawn at `point`. Cost: O(copies + stalls).
[[nodiscard]] Hit hit_link_track(const LinkTrack& track, Point point);

}  // namespace tideline::render
