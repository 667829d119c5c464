// The ops of the level view: background, boxes or cells, and the edges between them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "render/view/labels.h"
#include "render/view/levels_frame.h"
#include "render/view/text_fit.h"

namespace tideline::render {
namespace {

constexpr double kDimmed = 0.4;  // beside a selection
constexpr double kFoldedAlpha = 0.55;
constexpr double kEdgesPx = 20;  // a level, for edges
constexpr int kMostEdges = 1500;

double usual_alpha(const LevelsFrame& frame) {
  return frame.look.selected ? kDimmed : 1;
}

// The first op of a box with its tensor, when the box stands for it alone and it is swapped.
bool shows_swapped(const LevelsFrame& frame, const OpBox& box) {
  if (box.is_folded) return false;
  const OpId op = frame.look.ops->ops_of(box).front();
  const auto& swapped = frame.look.swaps->swapped;
  const auto found = std::lower_bound(swapped.begin(), swapped.end(), TensorId{op, 0});
  return found != swapped.end() && found->op == op;
}

std::string shape_text(const LevelsFrame& frame, OpId op) {
  const TensorTable& tensors = *frame.look.scene->tensors;
  return tensors.output_count(op) == 0 ? "no output" : to_string(tensors.shape({op, 0}));
}

// In full, or without decimals; nothing where there is no room for the unit.
std::string bytes_text(const Canvas& canvas, Bytes bytes, float size, float room) {
  const ByteUnit unit = unit_of_bytes(static_cast<double>(bytes));
  const std::array wordings = {
      format_bytes(bytes),
      fmt::format("{:.0f} {}", static_cast<double>(bytes) / unit.bytes, unit.name), std::string()};
  return first_that_fits(canvas, wordings, size, room);
}

void draw_box_text(Canvas& canvas, const LevelsFrame& frame, const OpBox& box, Rect rect,
                   double alpha) {
  const float size = frame.small_px;
  rect.x0 = std::max(rect.x0, frame.look.area.x0);
  rect.x1 = std::min(rect.x1, frame.look.area.x1);
  if (rect.height() < size || rect.width() < size * 0.8F) return;
  const Graph& graph = *frame.look.scene->graph;
  const OpId op = frame.look.ops->ops_of(box).front();
  const Color color = frame.look.palette->background.with_alpha(alpha);
  const float room = rect.width() - 4;
  std::array<std::string, 3> lines;
  if (box.is_folded) {
    lines[0] = fit_text(canvas, fmt::format("+{}{}", box.op_count, box.is_unknown ? " ?" : ""),
                        size, room);
  } else if (frame.detail == Detail::kNames && room > 2 * size) {
    lines = {fit_text(canvas, last_part(graph.name(op)), size, room),
             box.is_unknown ? fit_text(canvas, "? " + shape_text(frame, op), size, room)
                            : bytes_text(canvas, box.bytes, size, room),
             box.is_unknown ? "" : fit_text(canvas, shape_text(frame, op), size, room)};
  } else if (box.is_unknown) {
    lines[0] = "?";
  }
  float y = rect.y0 + 1;
  for (const std::string& line : lines) {
    if (y + size > rect.y1 + 1) break;
    const bool is_whole = y >= frame.rows.y0 && y + size <= frame.rows.y1;
    if (!line.empty() && is_whole) canvas.text({rect.x0 + 2, y}, line, color, size);
    y += size;
  }
}

void draw_boxes(Canvas& canvas, const LevelsFrame& frame) {
  const double alpha = usual_alpha(frame);
  const int end = frame.axis.end(frame.look.ops->level_count);
  for (int level = frame.axis.begin(); level < end; ++level) {
    for (const OpBox& box : frame.look.ops->boxes_at(level)) draw_box(canvas, frame, box, alpha);
  }
}

// Joins cells of a band that lie side by side and look the same: graphs repeat themselves, and a
// frame of 100,000 ops has ten times as many cells as rectangles.
class CellPainter {
 public:
  CellPainter(Canvas& canvas, Color hatching) : canvas_(canvas), hatching_(hatching) {}

  void draw(std::uint8_t band, Rect rect, Color color, bool is_unknown) {
    Run& run = runs_[band];
    if (run.is_open && !is_unknown && run.color == color && run.rect.x1 == rect.x0 &&
        run.rect.y0 == rect.y0 && run.rect.y1 == rect.y1) {
      run.rect.x1 = rect.x1;
      return;
    }
    close(run);
    if (is_unknown) {
      canvas_.fill(rect, color);
      if (rect.width() >= 3) canvas_.hatch(rect, hatching_);
    } else {
      run = {rect, color, true};
    }
  }

  void finish() {
    for (Run& run : runs_) close(run);
  }

 private:
  struct Run {
    Rect rect;
    Color color;
    bool is_open = false;
  };

  void close(Run& run) {
    if (run.is_open) canvas_.fill(run.rect, run.color);
    run.is_open = false;
  }

  Canvas& canvas_;
  Color hatching_;
  std::array<Run, kMostBands> runs_{};
};

// The cell `index` of the bins that are shown.
Color cell_color(const LevelsFrame& frame, std::size_t index) {
  const LevelsPaint* paint = frame.look.paint;
  if (paint != nullptr) return paint->ops.colors[paint->cells[frame.bin][index]];
  const OpCell& cell = frame.look.ops->bins[frame.bin].cells[index];
  return ops_color(frame, cell.band, cell.phase);
}

Color box_color(const LevelsFrame& frame, const OpBox& box) {
  const LevelsPaint* paint = frame.look.paint;
  if (paint == nullptr) return ops_color(frame, box.band, box.phase);
  const auto index = static_cast<std::size_t>(&box - frame.look.ops->boxes.data());
  return paint->ops.colors[paint->boxes[index]];
}

// Cells of one or more levels.
void draw_cells(Canvas& canvas, const LevelsFrame& frame) {
  const OpLayout& ops = *frame.look.ops;
  const CellBins& bins = ops.bins[frame.bin];
  const auto count = bins.first.size() - 1;
  const auto begin = static_cast<std::size_t>(frame.axis.begin()) >> frame.bin;
  const auto levels = static_cast<std::size_t>(frame.axis.end(ops.level_count));
  const double bin_levels = static_cast<double>(std::size_t{1} << frame.bin);
  const float gap = frame.detail == Detail::kCells && frame.axis.px_per_unit() >= 4 ? 1.0F : 0.0F;
  const double alpha = usual_alpha(frame);
  CellPainter painter(canvas, frame.look.palette->background.with_alpha(0.5));
  for (std::size_t bin = begin; bin < count && bin << frame.bin < levels; ++bin) {
    std::array<float, kMostBands> used{};  // by row
    const double from = static_cast<double>(bin) * bin_levels;
    const float x0 = frame.axis.x(from);
    const float x1 = frame.axis.x(std::min<double>(from + bin_levels, ops.level_count)) - gap;
    for (std::size_t i = bins.first[bin]; i < bins.first[bin + 1]; ++i) {
      const OpCell& cell = bins.cells[i];
      const std::uint32_t row = ops.bands[cell.band].row;
      // Highest cells of several levels may be more together than any level has.
      const float height = std::min(cell.height, ops.row_height[row] - used[row]);
      const float y = frame.row_top[row] + used[row] * frame.row_unit[row];
      used[row] += height;
      painter.draw(cell.band, {x0, y, x1, y + height * frame.row_unit[row]},
                   cell_color(frame, i).with_alpha(alpha), cell.is_unknown);
    }
  }
  painter.finish();
}

bool is_side(const LevelsFrame& frame, OpId op) {
  const OpLayout& ops = *frame.look.ops;
  return ops.bands[ops.boxes[ops.box_of[op.index()]].band].is_side;
}

int draw_edge(Canvas& canvas, const LevelsFrame& frame, TensorId from, OpId to, Color color) {
  const OpLayout& ops = *frame.look.ops;
  const Rect a = frame.box_rect(ops.boxes[ops.box_of[from.op.index()]]);
  const Rect b = frame.box_rect(ops.boxes[ops.box_of[to.index()]]);
  const Point start = {a.x1, (a.y0 + a.y1) / 2};
  const Point stop = {b.x0, (b.y0 + b.y1) / 2};
  const float bend = std::min(60.0F, std::max(4.0F, (stop.x - start.x) * 0.5F));
  // A long way sags, so that it is seen beside what it passes.
  const float sag = std::clamp((stop.x - start.x - 2 * bend) * 0.12F, 0.0F, 60.0F);
  return draw_tensor_edge(
      canvas, frame, from, to,
      {start, {start.x + bend, start.y + sag}, {stop.x - bend, stop.y + sag}, stop}, color, 1);
}

}  // namespace

Color ops_color(const LevelsFrame& frame, std::uint8_t band, Phase phase) {
  const Band& of = frame.look.ops->bands[band];
  return of.is_part ? part_color(frame, of) : phase_color(frame, phase);
}

void draw_box(Canvas& canvas, const LevelsFrame& frame, const OpBox& box, double alpha) {
  const Palette& colors = *frame.look.palette;
  if (!box.runs) alpha *= kNotRunAlpha;
  const Rect rect = frame.box_rect(box);
  if (rect.y1 < frame.rows.y0 || rect.y0 > frame.rows.y1) return;
  const float rounding = rect.width() > 12 && rect.height() > 8 ? 2.0F : 0.0F;
  const Color color = box_color(frame, box);
  canvas.fill(rect, color.with_alpha(box.is_folded ? alpha * kFoldedAlpha : alpha), rounding);
  if (box.is_unknown) canvas.hatch(rect, colors.background.with_alpha(0.45 * alpha));
  if (shows_swapped(frame, box)) {
    canvas.fill({rect.x0, rect.y0, rect.x1, rect.y0 + std::min(3.0F, rect.height())},
                colors.swap_out.with_alpha(alpha));
  }
  if (frame.detail >= Detail::kBoxes) draw_box_text(canvas, frame, box, rect, alpha);
}

void draw_ground(Canvas& canvas, const LevelsFrame& frame) {
  const Palette& colors = *frame.look.palette;
  canvas.fill(frame.look.area, colors.background);
  canvas.fill(frame.lane, colors.host_lane, 4);
  const float bottom = frame.ticks.y0;
  for (const int level :
       axis_ticks(frame.axis, frame.look.ops->level_count, 5 * frame.look.font_px)) {
    const float x = frame.axis.x(level);
    canvas.line({x, frame.lane.y1}, {x, bottom}, colors.grid, 1);
  }
}

void draw_ops(Canvas& canvas, const LevelsFrame& frame) {
  canvas.push_clip(frame.rows);
  if (frame.detail >= Detail::kBoxes) {
    draw_boxes(canvas, frame);
  } else {
    draw_cells(canvas, frame);
  }
  canvas.pop_clip();
}

void draw_edges(Canvas& canvas, const LevelsFrame& frame) {
  if (frame.detail < Detail::kNames) return;
  const Graph& graph = *frame.look.scene->graph;
  const Palette& colors = *frame.look.palette;
  const double alpha = usual_alpha(frame);
  int drawn = 0;
  canvas.push_clip(frame.rows);
  const int end = frame.axis.end(frame.look.ops->level_count);
  for (int level = frame.axis.begin(); level < end && drawn < kMostEdges; ++level) {
    for (const OpBox& box : frame.look.ops->boxes_at(level)) {
      if (box.is_folded) continue;
      const OpId op = frame.look.ops->ops_of(box).front();
      for (const TensorId input : graph.inputs(op)) {
        if (is_side(frame, input.op)) continue;  // else variables cover all the rest
        if (drawn >= kMostEdges) break;
        drawn += draw_edge(canvas, frame, input, op, colors.text.with_alpha(0.22 * alpha));
      }
      if (!frame.look.show_control_edges) continue;
      for (const OpId control : graph.control_inputs(op)) {
        if (++drawn > kMostEdges) break;
        const OpLayout& ops = *frame.look.ops;
        const Rect a = frame.box_rect(ops.boxes[ops.box_of[control.index()]]);
        const Rect b = frame.box_rect(box);
        canvas.line({a.x1, (a.y0 + a.y1) / 2}, {b.x0, (b.y0 + b.y1) / 2},
                    colors.dim_text.with_alpha(0.7 * alpha), 1, Dash::kDotted);
      }
    }
  }
  canvas.pop_clip();
}

}  // namespace tideline::render
