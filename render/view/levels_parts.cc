// The parts of a plan in the level view: their frames, and the edges over which they hand tensors
// to each other. Tested by unit/view/op_layout_test.cc and the pictures of tests/gui.
#include <algorithm>

#include "render/view/levels_frame.h"

namespace tideline::render {
namespace {

constexpr std::size_t kMostFrames = 400;

float row_bottom(const LevelsFrame& frame, std::uint32_t row) {
  return frame.row_top[row] + frame.row_px[row];
}

void draw_frames(Canvas& canvas, const LevelsFrame& frame) {
  const OpLayout& ops = *frame.look.ops;
  const double first = frame.axis.first;
  const double last = frame.axis.first + frame.axis.span;
  std::size_t drawn = 0;
  for (const Band& band : ops.bands) {
    if (!band.is_part) continue;
    // Beside colours that say something else, frames have none.
    const Color color =
        frame.look.paint != nullptr ? frame.look.palette->dim_text : part_color(frame, band);
    for (const LevelRange& range : band.ranges) {
      if (range.to + 1 < first || range.from > last || ++drawn > kMostFrames) continue;
      const Rect rect = {frame.axis.x(range.from), frame.row_top[band.row] - 2,
                         frame.axis.x(range.to + 1.0), row_bottom(frame, band.row) + 1};
      canvas.frame(rect, color.with_alpha(0.8), 1, 2);
    }
  }
}

Point middle_of(const LevelsFrame& frame, OpId op, bool at_right) {
  const OpLayout& ops = *frame.look.ops;
  const Rect rect = frame.box_rect(ops.boxes[ops.box_of[op.index()]]);
  return {at_right ? rect.x1 : rect.x0, (rect.y0 + rect.y1) / 2};
}

void draw_borders(Canvas& canvas, const LevelsFrame& frame) {
  const double alpha = frame.look.selected ? 0.2 : 0.5;
  const Color color = frame.look.palette->text.with_alpha(alpha);
  for (const PartEdge& edge : frame.look.ops->part_edges) {
    const Point from = middle_of(frame, edge.from, true);
    const Point to = middle_of(frame, edge.to, false);
    if (to.x < frame.axis.x0 || from.x > frame.axis.x1) continue;
    const float bend = std::clamp((to.x - from.x) * 0.5F, 4.0F, 80.0F);
    canvas.curve(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, color, 1);
  }
}

}  // namespace

Color part_color(const LevelsFrame& frame, const Band& band) {
  return frame.look.palette->scopes[band.hue % kScopeHues];
}

Color phase_color(const LevelsFrame& frame, Phase phase) {
  constexpr double kAlphaBesideParts = 0.4;
  const Color color = frame.look.palette->phases[static_cast<std::size_t>(phase)];
  return frame.look.scene->parts == nullptr ? color : color.with_alpha(kAlphaBesideParts);
}

void draw_parts(Canvas& canvas, const LevelsFrame& frame) {
  if (frame.look.scene->parts == nullptr) return;
  canvas.push_clip(frame.rows);
  draw_frames(canvas, frame);
  draw_borders(canvas, frame);
  canvas.pop_clip();
}

}  // namespace tideline::render
