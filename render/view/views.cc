// Tested by the golden cases render and timeline.
#include "render/view/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "render/view/fit_chart.h"
#include "render/view/labels.h"
#include "render/view/levels_view.h"
#include "render/view/memory_view.h"
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
                       .area = look.area,
                       .range = look.part.range,
                       .y_zoom = look.part.row_zoom,
                       .selected = look.part.selected,
                       .hovered = {},
                       .cursor = {},
                       .player = look.part.player,
                       .show_candidates = look.part.show_candidates,
                       .show_control_edges = look.part.show_control_edges,
                       .font_px = look.font_px};
  levels.y_scroll_px = look.part.row_scroll_0_1 * most_scroll_px(levels);
  draw_levels(canvas, levels);
}

std::string name_of(const Scene& scene, TensorId tensor) {
  if (tensor.op.value < scene.graph->op_count()) return scene.graph->tensor_name(tensor);
  return scene.plan == nullptr ? "?" : tensor_name(*scene.graph, *scene.plan, tensor);
}

// What is alive at the peak, or at the pinned position, or at that of the player.
void draw_table(Canvas& canvas, const ViewLook& look, Rect area, const MemoryLayout& layout) {
  const Palette& colors = palette(look.theme);
  canvas.fill(area, colors.background);
  const float size = look.font_px * 0.86F;
  const float line = size * 1.35F;
  const std::int32_t peak = layout.has_after ? layout.after_peak_at : layout.before_peak_at;
  const bool is_played = look.part.player && layout.axis == MemoryAxis::kLevel;
  const std::optional<double> pinned = is_played ? look.part.player : look.part.pinned;
  const double at = pinned.value_or(peak);
  const LiveRows live = live_at(*look.scene, layout, at, kMostRows);
  float y = area.y0 + size * 0.5F;
  const auto row = [&](std::string_view name, std::string_view bytes, Color color) {
    const float bytes_px = canvas.text_width(bytes, size);
    canvas.text({area.x1 - bytes_px - size * 0.5F, y}, bytes, color, size);
    canvas.text({area.x0 + size * 1.6F, y}, name, color, size);
    y += line;
  };
  const auto room = [&](std::string_view bytes) {
    return area.width() - canvas.text_width(bytes, size) - size * 3.2F;
  };
  const std::string all = format_bytes(live.bytes);
  const std::string place = position_text(layout, at);
  const bool is_pinned = pinned.has_value();
  const std::array wordings = {
      is_pinned ? fmt::format("Alive at {}: {} tensors", place, live.count)
                : fmt::format("Alive at the peak ({}): {} tensors", place, live.count),
      is_pinned ? fmt::format("{}: {} tensors", place, live.count)
                : fmt::format("Peak ({}): {} tensors", place, live.count),
      is_pinned ? place : std::string("Peak")};
  row(first_that_fits(canvas, wordings, size, room(all)), all, colors.text);
  std::vector<std::string> names;
  for (const LiveRow& tensor : live.rows) names.push_back(name_of(*look.scene, tensor.tensor));
  const NameShortener shortener(names);
  const Bytes largest = live.rows.empty() ? 0 : live.rows.front().bytes;
  const ByteUnit unit = unit_of_bytes(static_cast<double>(largest));
  std::int64_t shown = 0;
  for (const LiveRow& tensor : live.rows) {
    if (y + 2 * line > area.y1) break;
    canvas.fill({area.x0 + size * 0.5F, y + size * 0.15F, area.x0 + size * 1.2F, y + size * 0.85F},
                colors.kinds[static_cast<std::size_t>(tensor.kind)], 2);
    const std::string bytes = bytes_in(unit, largest, tensor.bytes);
    const float px = room(bytes);
    row(shortener.shorten(
            names[static_cast<std::size_t>(shown)],
            [&](std::string_view text) { return canvas.text_width(text, size) <= px; }),
        bytes, colors.dim_text);
    ++shown;
  }
  if (shown < live.count) {
    row(fit_text(canvas, fmt::format("and {} smaller ones", live.count - shown), size, room("")),
        "", colors.dim_text);
  }
}

void draw_memory_view(Canvas& canvas, const ViewLook& look) {
  const float table_px = look.area.width() > 48.8F * look.font_px ? 24 * look.font_px : 0;
  const Rect& area = look.area;
  ViewLook chart = look;
  chart.area.x1 -= table_px;
  const MemoryLayout layout = draw_memory_chart(canvas, chart, /*show_bands=*/true);
  if (table_px > 0) {
    draw_table(canvas, look, {chart.area.x1 + look.font_px * 0.6F, area.y0, area.x1, area.y1},
               layout);
  }
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
    View{"timeline", "Timeline", true, false, draw_timeline_view},
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
                       .font_px = look.font_px});
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
