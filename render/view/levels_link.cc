// The link track of the level view.
#include "render/view/levels_frame.h"
#include "render/view/link_track.h"

namespace tideline::render {
namespace {

LinkTrack track_of(const LevelsFrame& frame) {
  return {.link = &frame.look.swaps->link,
          .palette = frame.look.palette,
          .area = frame.link,
          .axis = frame.axis,
          .end = static_cast<double>(frame.look.ops->level_count),
          .font_px = frame.look.font_px,
          .selected = frame.look.selected,
          .hovered = frame.look.hovered};
}

}  // namespace

void draw_link(Canvas& canvas, const LevelsFrame& frame) {
  draw_link_track(canvas, track_of(frame));
}

Hit hit_link(const LevelsFrame& frame, Point point) {
  return hit_link_track(track_of(frame), point);
}

}  // namespace tideline::render
