// The marks of the level view: the selection with its neighbours, headings, names of scopes, ticks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "render/view/labels.h"
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
      neighbour({input, tensor.op}, rect, in, true);
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
      const std::uint32_t slot = graph.inputs(use.consumer)[use.slot].slot;
      neighbour({{tensor.op, slot}, use.consumer}, rect, out, false);
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

  void neighbour(Rerouted edge, Rect rect, Color color, bool is_input) {
    const OpId op = is_input ? edge.tensor.op : edge.consumer;
    const Rect other = frame_.box_rect(box_of(op));
    draw_box(canvas_, frame_, box_of(op), 1);
    const Point from = is_input ? right_of(other) : right_of(rect);
    const Point to = is_input ? left_of(rect) : left_of(other);
    const float bend = std::clamp((to.x - from.x) * 0.5F, 6.0F, 120.0F);
    draw_tensor_edge(canvas_, frame_, edge.tensor, edge.consumer,
                     {from, {from.x + bend, from.y}, {to.x - bend, to.y}, to}, color, 1.5F);
  }

  Canvas& canvas_;
  const LevelsFrame& frame_;
};

void draw_lane_heading(Canvas& canvas, const LevelsFrame& frame) {
  const SwapLayout& swaps = *frame.look.swaps;
  const float font = frame.look.font_px;
  std::vector<std::string> wordings = {"HOST MEMORY LANE"};
  if (!swaps.bars.empty()) {
    const std::string tensors =
        fmt::format("{} tensor{}", swaps.bars.size(), swaps.bars.size() == 1 ? "" : "s");
    const std::string bytes = format_bytes(swaps.bytes);
    wordings = {fmt::format("HOST MEMORY LANE: {}, {} in all, parked between swap-out and swap-in",
                            tensors, bytes),
                fmt::format("HOST MEMORY LANE: {}, {} in all", tensors, bytes),
                fmt::format("HOST: {}, {}", tensors, bytes), "HOST: " + tensors};
    const auto late = std::count_if(swaps.bars.begin(), swaps.bars.end(),
                                    [](const SwapBar& bar) { return bar.late_ns > 0; });
    if (late > 0) {
      wordings[0] += fmt::format(", {} late", late);
      wordings[1] += fmt::format(", {} late", late);
    }
  }
  const Point at = {frame.look.area.x0 + font * 0.5F, frame.lane.y0 + font * 0.3F};
  // Without room for the lens of what is selected.
  if (frame.swap && frame.lens.height() <= 0) {
    canvas.text(at, lens_line(canvas, frame, font, frame.look.area.width() - font),
                frame.look.palette->text, font);
    return;
  }
  canvas.text(at, first_that_fits(canvas, wordings, font, frame.look.area.width() - font),
              frame.look.palette->dim_text, font);
}

// The scale is that of what is visible: it is said here, and nowhere else.
std::vector<std::string> scale_wordings(const LevelsFrame& frame) {
  if (frame.tallest <= 0) return {""};
  const std::string bytes = format_bytes(frame.tallest);
  return {fmt::format("height: root of output bytes, tallest column here {}", bytes),
          fmt::format("height: root of bytes, tallest {}", bytes), "tallest " + bytes, bytes, ""};
}

void draw_device_heading(Canvas& canvas, const LevelsFrame& frame) {
  const Palette& colors = *frame.look.palette;
  const float font = frame.look.font_px;
  const float left = frame.look.area.x0 + font * 0.5F;
  const float right = frame.look.area.x1 - font * 0.5F;
  const float y = frame.heading.y0 + font * 0.3F;
  Labels labels(frame.look.area);
  const auto write = [&](std::span<const Point> places, std::string_view text, Color color) {
    if (text.empty()) return;
    const float width = canvas.text_width(text, font);
    const auto at = labels.place(places, width + font * 0.5F, font);
    if (at) canvas.text(*at, text, color, font);
  };
  const auto at = [&](float x) { return std::array{Point{x, y}}; };
  const std::array device = {std::string("DEVICE: ops by level"), std::string("DEVICE")};
  const std::string named = first_that_fits(canvas, device, font, (right - left) * 0.3F);
  write(at(left), named, colors.dim_text);
  const std::string scale =
      first_that_fits(canvas, scale_wordings(frame), font, (right - left) * 0.5F);
  write(at(right - canvas.text_width(scale, font) - font * 0.5F), scale, colors.dim_text);
  const std::int32_t border = frame.look.ops->backward_level;
  if (border < 0) return;
  const float x = frame.axis.x(border);
  const auto phase = [&](Phase which) { return colors.phases[static_cast<std::size_t>(which)]; };
  if (x < frame.axis.x1) {
    const float after = left + canvas.text_width(named, font) + font;
    write(at(x < frame.axis.x0 ? after : x + font * 0.4F), "backward", phase(Phase::kBackward));
  }
  if (x <= frame.axis.x0 + font) return;
  const float width = canvas.text_width("forward", font);
  write(at(std::min(x, frame.axis.x1) - width - font * 0.9F), "forward", phase(Phase::kForward));
  if (x < frame.axis.x1) {
    canvas.line({x, frame.heading.y0}, {x, frame.rows.y1}, colors.outline, 1, Dash::kDashed);
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
        band.first_level > frame.axis.first + frame.axis.span || frame.row_px[band.row] <= 0) {
      continue;
    }
    const float y = frame.row_top[band.row] - size * 1.15F;
    // A name is whole or not there: rows may be scrolled.
    if (y < frame.rows.y0 || y + size > frame.rows.y1) continue;
    const std::string name = fit_text(canvas, band.name, size, size * 22);
    const float width = canvas.text_width(name, size) + size;
    const float last = frame.look.area.x1 - width - size * 0.3F;
    const float x = std::max(used[band.row], std::min(frame.axis.x(band.first_level), last));
    if (x > last + 1) continue;
    const Color hue = frame.look.paint != nullptr
                          ? colors.dim_text
                          : ops_color(frame, static_cast<std::uint8_t>(i), band.phase);
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
  const std::string unit = ticks_unit(canvas, frame.words, "level", size, frame.look.area.width());
  const float last = frame.look.area.x1 - canvas.text_width(unit, size) - size;
  const std::optional<Rect> taken = player_label(canvas, frame);
  for (const int level :
       axis_ticks(frame.axis, frame.look.ops->level_count, 5 * frame.look.font_px)) {
    const std::string text = fmt::format("{}", level);
    const float x = frame.axis.x(level) + 2;
    const float end = x + canvas.text_width(text, size);
    if (end > last - size * 0.5F) break;
    if (taken && end > taken->x0 && x < taken->x1) continue;
    canvas.text({x, y}, text, colors.dim_text, size);
  }
  canvas.text({last, y}, unit, colors.dim_text, size);
}

void draw_arcs_caption(Canvas& canvas, const LevelsFrame& frame) {
  const float size = frame.small_px;
  if (frame.arcs.height() < 2 * size) return;
  const std::size_t count = visible_candidates(frame).size();
  const std::array wordings = {
      fmt::format("arcs: the {} longest-lived large tensors that stay in device memory "
                  "(candidates)",
                  count),
      fmt::format("arcs: {} candidates", count), std::string("candidates")};
  canvas.text({frame.arcs.x0 + size * 0.5F, frame.arcs.y1 - size * 1.25F},
              first_that_fits(canvas, wordings, size, frame.arcs.width() - size),
              frame.look.palette->dim_text, size);
}

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
  draw_lane_heading(canvas, frame);
  draw_device_heading(canvas, frame);
  draw_row_names(canvas, frame);
  draw_ticks(canvas, frame);
  draw_arcs_caption(canvas, frame);
  // Above the caption of the arcs, where there is one.
  const bool has_caption = frame.arcs.height() >= 2 * frame.small_px;
  const float edge = frame.ticks.y0 - (has_caption ? frame.small_px * 1.5F : 0.0F);
  draw_bookmark_marks(canvas, *frame.look.palette, frame.axis, edge, false, frame.look.font_px,
                      frame.look.marks);
  draw_legend(canvas, frame.words, frame.legend.y0, frame.look.palette->dim_text,
              frame.look.palette->background);
}

}  // namespace tideline::render
