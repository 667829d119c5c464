// Tested by the golden cases render and timeline.
#include "render/view/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "core/base/text.h"
#include "render/view/diff_view.h"
#include "render/view/fit_chart.h"
#include "render/view/labels.h"
#include "render/view/levels_view.h"
#include "render/view/memory_view.h"
#include "render/view/scopes_view.h"
#include "render/view/text_fit.h"
#include "render/view/timeline_view.h"
#include "render/view/tried_chart.h"

namespace tideline::render {
namespace {

constexpr std::size_t kMostRows = 400;

void draw_levels_view(Canvas& canvas, const ViewLook& look) {
  const LevelsLayout layout = layout_levels(*look.scene);
  LevelsLook levels = {.scene = look.scene,
                       .ops = &layout.ops,
                       .swaps = &layout.swaps,
                       .palette = &palette(look.theme),
                       .paint = nullptr,
                       .area = look.area,
                       .range = look.part.range,
                       .y_zoom = look.part.row_zoom,
                       .selected = look.part.selected,
                       .hovered = {},
                       .cursor = {},
                       .player = look.part.player,
                       .show_candidates = look.part.show_candidates,
                       .show_control_edges = look.part.show_control_edges,
                       .font_px = look.font_px,
                       .marks = look.part.marks};
  LevelsPaint paint;
  if (look.part.levels_color != ColorBy::kPhase) {
    paint = paint_levels(*look.scene, layout.ops, palette(look.theme), look.part.levels_color);
    levels.paint = &paint;
  }
  levels.y_scroll_px = look.part.row_scroll_0_1 * most_scroll_px(levels);
  draw_levels(canvas, levels);
}

std::string name_of(const Scene& scene, TensorId tensor) {
  if (tensor.op.value < scene.graph->op_count()) return scene.graph->tensor_name(tensor);
  return scene.plan == nullptr ? "?" : tensor_name(*scene.graph, *scene.plan, tensor);
}

// Rows of names and bytes beside the chart of memory.
class SideTable {
 public:
  SideTable(Canvas& canvas, const ViewLook& look, Rect area)
      : canvas_(canvas),
        colors_(palette(look.theme)),
        area_(area),
        size_(look.font_px * 0.86F),
        line_(size_ * 1.35F),
        y_(area.y0 + size_ * 0.5F) {
    canvas.fill(area, colors_.background);
  }

  [[nodiscard]] float width(std::string_view text) const { return canvas_.text_width(text, size_); }
  /// For the name of a row with these bytes.
  [[nodiscard]] float room(std::string_view bytes) const {
    return area_.width() - width(bytes) - size_ * 3.2F;
  }
  [[nodiscard]] bool is_full() const { return y_ + 2 * line_ > area_.y1; }
  void heading(std::span<const std::string> wordings, const std::string& bytes) {
    row(first_that_fits(canvas_, wordings, size_, room(bytes)), bytes, colors_.text);
  }
  void row(std::string_view name, std::string_view bytes, Color color) {
    canvas_.text({area_.x1 - width(bytes) - size_ * 0.5F, y_}, bytes, color, size_);
    canvas_.text({area_.x0 + size_ * 1.6F, y_}, name, color, size_);
    y_ += line_;
  }
  void dim_row(const std::string& name, const std::string& bytes) {
    row(fit_text(canvas_, name, size_, room(bytes)), bytes, colors_.dim_text);
  }
  /// In front of the next row.
  void mark(MemoryKind kind) {
    canvas_.fill(
        {area_.x0 + size_ * 0.5F, y_ + size_ * 0.15F, area_.x0 + size_ * 1.2F, y_ + size_ * 0.85F},
        colors_.kinds[static_cast<std::size_t>(kind)], 2);
  }

 private:
  Canvas& canvas_;
  const Palette& colors_;
  Rect area_;
  float size_, line_, y_;
};

void list_runs(SideTable& table, const MemoryLayout& layout) {
  const std::array<std::string, 2> wordings = {"Runs of the cycle and their peaks", "Runs"};
  table.heading(wordings, "");
  for (const RunSpan& run : layout.runs) {
    if (table.is_full()) break;
    table.dim_row(printable(run.name), format_bytes(run.peak));
  }
}

// What is alive at the peak, or at the pinned position, or at that of the player.
void list_alive(SideTable& table, const ViewLook& look, const MemoryLayout& layout) {
  const std::int32_t peak = layout.has_after ? layout.after_peak_at : layout.before_peak_at;
  const bool is_played = look.part.player && layout.axis == MemoryAxis::kLevel;
  const std::optional<double> pinned = is_played ? look.part.player : look.part.pinned;
  const double at = pinned.value_or(peak);
  const LiveRows live = live_at(*look.scene, layout, at, kMostRows);
  const std::string place = position_text(layout, at);
  const bool is_pinned = pinned.has_value();
  const std::array wordings = {
      is_pinned ? fmt::format("Alive at {}: {} tensors", place, live.count)
                : fmt::format("Alive at the peak ({}): {} tensors", place, live.count),
      is_pinned ? fmt::format("{}: {} tensors", place, live.count)
                : fmt::format("Peak ({}): {} tensors", place, live.count),
      is_pinned ? place : std::string("Peak")};
  table.heading(wordings, format_bytes(live.bytes));
  std::vector<std::string> names;
  for (const LiveRow& tensor : live.rows) names.push_back(name_of(*look.scene, tensor.tensor));
  const NameShortener shortener(names);
  const Bytes largest = live.rows.empty() ? 0 : live.rows.front().bytes;
  const ByteUnit unit = unit_of_bytes(static_cast<double>(largest));
  std::int64_t shown = 0;
  for (const LiveRow& tensor : live.rows) {
    if (table.is_full()) break;
    table.mark(tensor.kind);
    const std::string bytes = bytes_in(unit, largest, tensor.bytes);
    const float px = table.room(bytes);
    table.row(shortener.shorten(names[static_cast<std::size_t>(shown)],
                                [&](std::string_view text) { return table.width(text) <= px; }),
              bytes, palette(look.theme).dim_text);
    ++shown;
  }
  if (shown < live.count) {
    table.dim_row(fmt::format("and {} smaller ones", live.count - shown), "");
  }
}

void draw_memory_view(Canvas& canvas, const ViewLook& look) {
  const float table_px = look.area.width() > 48.8F * look.font_px ? 24 * look.font_px : 0;
  const Rect& area = look.area;
  ViewLook chart = look;
  chart.area.x1 -= table_px;
  const MemoryLayout layout = draw_memory_chart(canvas, chart, /*show_bands=*/true);
  if (table_px > 0) {
    SideTable table(canvas, look, {chart.area.x1 + look.font_px * 0.6F, area.y0, area.x1, area.y1});
    layout.runs.empty() ? list_alive(table, look, layout) : list_runs(table, layout);
  }
}

void draw_scopes_view(Canvas& canvas, const ViewLook& look) {
  const Scene& scene = *look.scene;
  const ScopesPart& part = look.part.scopes;
  const ScopeBoxes boxes = find_scope_boxes(scene, part.loop);
  const ScopeLayout layout = layout_scopes(scene, boxes, part);
  const ScopePaint paint = paint_scopes(scene, boxes, layout, palette(look.theme), part.color);
  draw_scopes(canvas, {.scene = &scene,
                       .boxes = &boxes,
                       .layout = &layout,
                       .paint = &paint,
                       .palette = &palette(look.theme),
                       .area = look.area,
                       .camera = camera_of(look.part.range, part.y_0_1),
                       .selected = marked_box(boxes, layout, part.picked, look.part.selected),
                       .hovered = 0,
                       .trace = part.trace,
                       .font_px = look.font_px});
}

void draw_timeline_view(Canvas& canvas, const ViewLook& look) {
  const TimelineLayout timeline = layout_timeline(*look.scene);
  std::optional<OpId> selected;
  if (look.part.selected) selected = look.part.selected->op;
  draw_timeline(canvas, {.scene = look.scene,
                         .timeline = &timeline,
                         .palette = &palette(look.theme),
                         .area = look.area,
                         .range = look.part.range,
                         .scroll_px = look.part.timeline_scroll_px,
                         .fills_area = true,
                         .stretch = look.part.stretch,
                         .selected = selected,
                         .cursor = {},
                         .font_px = look.font_px,
                         .marks = look.part.marks});
}

void draw_diff_view(Canvas& canvas, const ViewLook& look) {
  std::vector<DiffRow> rows;
  if (look.changes != nullptr) rows = diff_rows(*look.changes, look.part.diff.open);
  draw_diff(canvas, {.changes = look.changes,
                     .text = look.changed_text,
                     .rows = rows,
                     .why_none = look.why_no_changes,
                     .palette = &palette(look.theme),
                     .area = look.area,
                     .range = look.part.range,
                     .part = look.part.diff,
                     .font_px = look.font_px});
}

void draw_fit_view(Canvas& canvas, const ViewLook& look) {
  const FitCurve none;
  const FitChart chart = layout_fit(look.fit != nullptr ? *look.fit : none, look.area.width(),
                                    look.area.height(), look.font_px, canvas, look.why_no_fit);
  draw_fit(canvas, palette(look.theme), chart, {look.area.x0, look.area.y0});
}

void draw_tried_view(Canvas& canvas, const ViewLook& look) {
  const TriedChart chart =
      layout_tried(*look.scene, look.area.width(), look.area.height(), look.font_px, canvas);
  draw_tried(canvas, palette(look.theme), chart, {look.area.x0, look.area.y0}, {});
}

// A new view is a file for its layout and drawing, and a line here.
constexpr std::array kViews = {
    View{"levels", "Levels", false, false, draw_levels_view},
    View{"memory", "Memory", false, false, draw_memory_view},
    View{"scopes", "Scopes", false, false, draw_scopes_view},
    View{"timeline", "Timeline", true, false, draw_timeline_view},
    View{"diff", "Diff", false, false, draw_diff_view},
    View{"fit", "Fit", false, false, draw_fit_view},
    View{"tried", "Search", false, true, draw_tried_view},
};

}  // namespace

MemoryLayout draw_memory_chart(Canvas& canvas, const ViewLook& look, bool show_bands) {
  MemoryLayout layout = layout_memory(*look.scene, look.part.device, look.part.memory_axis);
  draw_memory(canvas, {.scene = look.scene,
                       .memory = &layout,
                       .palette = &palette(look.theme),
                       .area = look.area,
                       .range = look.part.range,
                       .detail_0_1 = look.part.detail_0_1,
                       .show_bands = show_bands,
                       .show_original = look.part.show_original,
                       .selected = look.part.selected,
                       .cursor = look.part.pinned,
                       .player = look.part.player,
                       .font_px = look.font_px,
                       .marks = look.part.marks});
  return layout;
}

std::span<const View> views() {
  return kViews;
}

const View* find_view(std::string_view word) {
  const auto found = std::find_if(kViews.begin(), kViews.end(),
                                  [&](const View& view) { return view.word == word; });
  return found == kViews.end() ? nullptr : &*found;
}

std::vector<std::string> view_words() {
  std::vector<std::string> words;
  for (const View& view : kViews) words.emplace_back(view.word);
  return words;
}

}  // namespace tideline::render
