// The marks of the level view: the selection with its neighbours, headings, names of scopes, ticks,
// legend.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/view/levels_frame.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr std::size_t kMostNeighbours = 200;  // each way

class Highlighter {
 public:
  Highlighter(Canvas& canvas, const LevelsFrame& frame) : canvas_(canvas), frame_(frame) {}

  void draw(TensorId tensor, Color color, bool is_hover) {
    const OpLayout& ops = *frame_.look.ops;
    if (!tensor.op.valid() || tensor.op.index() >= ops.box_of.size()) return;
    const Graph& graph = *frame_.look.scene->graph;
    const OpBox& box = box_of(tensor.op);
    const Rect rect = frame_.box_rect(box);
    const Color in = frame_.look.palette->text.with_alpha(is_hover ? 0.5 : 0.8);
    const Color out = frame_.look.palette->accent.with_alpha(is_hover ? 0.7 : 1.0);
    std::size_t drawn = 0;
    for (const TensorId input : graph.inputs(tensor.op)) {
      if (++drawn > kMostNeighbours) break;
      neighbour(input.op, rect, in, true);
    }
    drawn = 0;
    for (const OpId control : graph.control_inputs(tensor.op)) {
      if (is_hover || ++drawn > kMostNeighbours) break;
      const Rect other = frame_.box_rect(box_of(control));
      canvas_.line(right_of(other), left_of(rect), in, 1, Dash::kDotted);
    }
    drawn = 0;
    for (const Use& use : frame_.look.scene->consumers->data(tensor.op)) {
      if (++drawn > kMostNeighbours) break;
      neighbour(use.consumer, rect, out, false);
    }
    draw_box(canvas_, frame_, box, 1);
    canvas_.frame({rect.x0 - 1.5F, rect.y0 - 1.5F, std::max(rect.x1, rect.x0 + 3) + 1.5F,
                   std::max(rect.y1, rect.y0 + 3) + 1.5F},
                  color, is_hover ? 1.2F : 2.0F, 2);
  }

 private:
  [[nodiscard]] const OpBox& box_of(OpId op) const {
    return frame_.look.ops->boxes[frame_.look.ops->box_of[op.index()]];
  }
  static Point right_of(Rect rect) { return {rect.x1, (rect.y0 + rect.y1) / 2}; }
  static Point left_of(Rect rect) { return {rect.x0, (rect.y0 + rect.y1) / 2}; }

  void neighbour(OpId op, Rect rect, Color color, bool is_input) {
    const Rect other = frame_.box_rect(box_of(op));
    draw_box(canvas_, frame_, box_of(op), 1);
    const Point from = is_input ? right_of(other) : right_of(rect);
    const Point to = is_input ? left_of(rect) : left_of(other);
    const float bend = std::clamp((to.x - from.x) * 0.5F, 6.0F, 120.0F);
    canvas_.curve(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, color, 1.5F);
  }

  Canvas& canvas_;
  const LevelsFrame& frame_;
};

// Text on a patch of ground, so that lines behind it do not cross the letters.
float draw_label(Canvas& canvas, Point at, std::string_view text, Color color, float size,
                 Color ground) {
  const float width = canvas.text_width(text, size);
  if (ground.a > 0) canvas.fill({at.x - 2, at.y, at.x + width + 2, at.y + size}, ground, 2);
  canvas.text(at, text, color, size);
  return at.x + width;
}

void draw_headings(Canvas& canvas, const LevelsFrame& frame) {
  const Palette& colors = *frame.look.palette;
  const SwapLayout& swaps = *frame.look.swaps;
  const float font = frame.look.font_px;
  const float x = frame.look.area.x0 + font * 0.5F;
  std::string lane = "HOST MEMORY LANE";
  if (!swaps.bars.empty()) {
    lane += fmt::format(": {} tensor{}, {} in all, parked between swap-out and swap-in",
                        swaps.bars.size(), swaps.bars.size() == 1 ? "" : "s",
                        format_bytes(swaps.bytes));
  }
  canvas.text({x, frame.lane.y0 + font * 0.35F},
              fit_text(canvas, lane, font, frame.look.area.width() - font), colors.dim_text, font);
  const float y = frame.heading.y0 + font * 0.5F;
  const Color ground = colors.background.with_alpha(0.85);
  const float end =
      draw_label(canvas, {x, y}, "DEVICE: topological levels ->", colors.dim_text, font, ground);
  const std::int32_t border = frame.look.ops->backward_level;
  if (border < 0) return;
  const float at = frame.axis.x(border);
  const bool forward_shown = at > frame.axis.x0 + font;
  if (forward_shown) {
    draw_label(canvas, {end + font, y}, "forward",
               colors.phases[static_cast<std::size_t>(Phase::kForward)], font, ground);
  }
  if (at > frame.axis.x1 - font * 5) return;
  const float least = end + font * (forward_shown ? 7.0F : 1.0F);
  draw_label(canvas, {std::max(at + font * 0.4F, least), y}, "backward",
             colors.phases[static_cast<std::size_t>(Phase::kBackward)], font, ground);
  if (forward_shown) {
    canvas.line({at, frame.heading.y0}, {at, frame.rows.y1}, colors.outline, 1, Dash::kDashed);
  }
}

void draw_row_names(Canvas& canvas, const LevelsFrame& frame) {
  const OpLayout& ops = *frame.look.ops;
  const Palette& colors = *frame.look.palette;
  const float size = frame.small_px;
  std::vector<float> used(ops.row_height.size(), frame.look.area.x0 + size * 0.3F);
  std::vector<std::size_t> order(ops.bands.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ops.bands[a].first_level < ops.bands[b].first_level;
  });
  canvas.push_clip(frame.rows);
  for (const std::size_t i : order) {
    const Band& band = ops.bands[i];
    if (band.last_level + 1 < frame.axis.first ||
        band.first_level > frame.axis.first + frame.axis.span) {
      continue;
    }
    const std::string name = fit_text(canvas, band.name, size, size * 22);
    const float width = canvas.text_width(name, size) + size;
    const float last = frame.look.area.x1 - width - size * 0.3F;
    const float x = std::max(used[band.row], std::min(frame.axis.x(band.first_level), last));
    if (x > last + 1) continue;
    const float y = frame.row_top[band.row] - size * 1.15F;
    const Color hue = colors.scopes[band.hue % kScopeHues];
    // One patch behind the hue and the name: swap lines cross rows from top to bottom.
    canvas.fill({x - 2, y, x + width + 2, y + size * 1.1F}, colors.background.with_alpha(0.85), 2);
    canvas.fill({x, y + size * 0.2F, x + size * 0.6F, y + size * 0.8F}, hue, 1);
    canvas.text({x + size * 0.9F, y}, name, colors.dim_text, size);
    used[band.row] = x + width + size;
  }
  canvas.pop_clip();
}

void draw_ticks(Canvas& canvas, const LevelsFrame& frame) {
  const Palette& colors = *frame.look.palette;
  const float size = frame.small_px;
  const float y = frame.ticks.y0 + size * 0.2F;
  const std::string unit = "level";
  const float last = frame.look.area.x1 - canvas.text_width(unit, size) - size;
  for (const int level :
       axis_ticks(frame.axis, frame.look.ops->level_count, 5 * frame.look.font_px)) {
    const std::string text = fmt::format("{}", level);
    const float x = frame.axis.x(level) + 2;
    if (x + canvas.text_width(text, size) > last - size * 0.5F) break;
    canvas.text({x, y}, text, colors.dim_text, size);
  }
  canvas.text({last, y}, unit, colors.dim_text, size);
  if (!frame.look.show_candidates || frame.look.swaps->candidates.empty()) return;
  canvas.text({frame.arcs.x0 + size * 0.5F, frame.arcs.y1 - size * 1.25F},
              fit_text(canvas,
                       fmt::format("arcs: the {} longest-lived large tensors that stay in device "
                                   "memory (candidates)",
                                   visible_candidates(frame).size()),
                       size, frame.arcs.width() - size),
              colors.dim_text, size);
}

class Legend {
 public:
  Legend(Canvas& canvas, const LevelsFrame& frame)
      : canvas_(canvas), frame_(frame), x_(frame.look.area.x0 + frame.small_px * 0.6F) {}

  void draw() {
    const Palette& colors = *frame_.look.palette;
    const auto phase = [&](Phase which, const char* name) {
      patch(phase_color(frame_, which), name);
    };
    // With what a label of a narrow part has no room for, its peak, if that leaves room for others.
    const bool in_full = full_names_px() < frame_.look.area.width() / 2;
    for (const Band& band : frame_.look.ops->bands) {
      if (!band.is_part) continue;
      patch(part_color(frame_, band), in_full ? band.name : part_name(band));
    }
    const char* rest = frame_.look.scene->parts != nullptr ? "else forward" : "forward";
    phase(Phase::kForward, rest);
    if (frame_.look.ops->backward_level >= 0) {
      phase(Phase::kBackward, "backward");
      phase(Phase::kUpdate, "update");
    }
    phase(Phase::kOther, "outside the step");
    if (frame_.look.ops->not_run_ops > 0 && frame_.detail >= Detail::kBoxes) {
      patch(phase_color(frame_, Phase::kForward).with_alpha(kNotRunAlpha), "faded: does not run");
    }
    if (!frame_.look.swaps->bars.empty()) {
      arrow(colors.swap_out, true, "swap-out");
      arrow(colors.swap_in, false, "swap-in");
    }
    if (frame_.look.ops->unknown_ops > 0) unknown();
    word(fmt::format("height: root of output bytes, tallest column {}",
                     format_bytes(frame_.look.ops->largest_cell)),
         0);
  }

 private:
  [[nodiscard]] float full_names_px() const {
    float sum = 0;
    for (const Band& band : frame_.look.ops->bands) {
      if (band.is_part) sum += canvas_.text_width(band.name, frame_.small_px) + 2 * frame_.small_px;
    }
    return sum;
  }
  static std::string part_name(const Band& band) {
    return band.name.substr(0, band.name.find(':'));
  }
  void patch(Color color, std::string_view name) {
    const float size = frame_.small_px;
    if (!word(name, size)) return;
    canvas_.fill({mark_, y() + size * 0.15F, mark_ + size * 0.7F, y() + size * 0.85F}, color, 2);
  }
  void arrow(Color color, bool up, const char* name) {
    const float size = frame_.small_px;
    if (!word(name, size)) return;
    const float top = y() + size * 0.2F;
    const float bottom = y() + size * 0.8F;
    const float middle = mark_ + size * 0.35F;
    canvas_.triangle({mark_, up ? bottom : top}, {mark_ + size * 0.7F, up ? bottom : top},
                     {middle, up ? top : bottom}, color);
  }
  void unknown() {
    const float size = frame_.small_px;
    const std::string text = fmt::format("? size unknown ({} ops)", frame_.look.ops->unknown_ops);
    if (!word(text, size)) return;
    const Rect rect = {mark_, y() + size * 0.15F, mark_ + size * 0.7F, y() + size * 0.85F};
    canvas_.fill(rect, frame_.look.palette->phases[1]);
    canvas_.hatch(rect, frame_.look.palette->background);
  }

  [[nodiscard]] float y() const { return frame_.legend.y0 + frame_.small_px * 0.3F; }

  // False when there is no room left; then nothing is drawn.
  bool word(std::string_view text, float mark_px) {
    const float size = frame_.small_px;
    const float width = canvas_.text_width(text, size);
    if (x_ + mark_px + width > frame_.look.area.x1 - size * 0.5F) return false;
    mark_ = x_;
    canvas_.text({x_ + mark_px, y()}, text, frame_.look.palette->dim_text, size);
    x_ += mark_px + width + size * 1.2F;
    return true;
  }

  Canvas& canvas_;
  const LevelsFrame& frame_;
  float x_;
  float mark_ = 0;
};

}  // namespace

void draw_highlights(Canvas& canvas, const LevelsFrame& frame) {
  const Palette& colors = *frame.look.palette;
  canvas.push_clip(frame.rows);
  Highlighter highlighter(canvas, frame);
  if (frame.look.hovered && frame.look.hovered != frame.look.selected) {
    highlighter.draw(*frame.look.hovered, colors.hover, true);
  }
  if (frame.look.selected) highlighter.draw(*frame.look.selected, colors.selection, false);
  canvas.pop_clip();
  if (frame.look.cursor && std::isfinite(*frame.look.cursor)) {
    const float x = frame.axis.x(*frame.look.cursor);
    if (x >= frame.axis.x0 && x <= frame.axis.x1) {
      canvas.line({x, frame.lane.y0}, {x, frame.ticks.y0}, colors.text.with_alpha(0.35), 1);
    }
  }
}

void draw_captions(Canvas& canvas, const LevelsFrame& frame) {
  draw_headings(canvas, frame);
  draw_row_names(canvas, frame);
  draw_ticks(canvas, frame);
  Legend(canvas, frame).draw();
}

}  // namespace tideline::render
