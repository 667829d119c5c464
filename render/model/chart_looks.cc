#include "render/model/chart_looks.h"

#include <algorithm>
#include <cmath>

#include "render/model/shown_marks.h"
#include "render/view/clock_curve.h"
#include "render/view/draw_list.h"

namespace tideline::ui {
namespace {

constexpr double kLanesShare = 0.4;  // of the height, about: where the rows begin

auto& range_in(auto& view, render::MemoryAxis axis) {
  switch (axis) {
    case render::MemoryAxis::kLevel: break;
    case render::MemoryAxis::kStep: return view.steps;
    case render::MemoryAxis::kMeasuredTime: return view.times;
    case render::MemoryAxis::kTime: return view.clock;
  }
  return view.axis;
}

AxisKind axis_kind(render::MemoryAxis axis) {
  switch (axis) {
    case render::MemoryAxis::kLevel: break;
    case render::MemoryAxis::kStep: return AxisKind::kStep;
    case render::MemoryAxis::kMeasuredTime: return AxisKind::kMeasuredTime;
    case render::MemoryAxis::kTime: return AxisKind::kTime;
  }
  return AxisKind::kLevel;
}

}  // namespace

render::LevelsLook levels_look(const UiModel& model, const ViewState& view, ViewCache& cache,
                               render::Rect area) {
  return {.scene = &*model.scene,
          .ops = &*cache.ops(),
          .swaps = &*cache.swaps(),
          .palette = &render::palette(view.theme),
          .paint = cache.levels_paint(*model.scene, view),
          .area = area,
          .range = {view.axis.first, view.axis.span},
          .y_scroll_px = view.y_scroll_px,
          .y_zoom = view.y_zoom,
          .selected = view.selected,
          .hovered = view.hovered,
          .cursor = view.cursor,
          .player = view.player,
          .show_candidates = view.show_candidates,
          .show_control_edges = view.show_control_edges,
          .font_px = view.font_px * view.scale,
          .marks = shown_marks(*model.scene, view, Tab::kLevels, AxisKind::kLevel)};
}

void zoom_rows(ViewState& view, render::Rect area, double factor, double y_px) {
  const double before = view.y_zoom;
  view.y_zoom = std::clamp(before * factor, 1.0, kMostRowZoom);
  const double above = y_px - area.y0 - area.height() * kLanesShare;
  view.y_scroll_px = (view.y_scroll_px + above) * (view.y_zoom / before) - above;
}

void limit_rows(ViewState& view, render::LevelsLook& look) {
  view.y_zoom = std::isfinite(view.y_zoom) ? std::clamp(view.y_zoom, 1.0, kMostRowZoom) : 1;
  look.y_zoom = view.y_zoom;
  const double most = std::max(0.0, render::most_scroll_px(look));
  if (view.y_scroll_share) view.y_scroll_px = *view.y_scroll_share * most;
  view.y_scroll_share.reset();
  view.y_most_scroll_px = most;
  view.y_scroll_px = std::isfinite(view.y_scroll_px) ? std::clamp(view.y_scroll_px, 0.0, most) : 0;
  look.y_scroll_px = view.y_scroll_px;
}

render::MemoryAxis memory_axis_of(const ViewState& view, const render::Scene& scene) {
  if (view.tab != Tab::kMemory) return render::MemoryAxis::kLevel;
  switch (view.memory_axis) {
    case AxisKind::kLevel: break;
    case AxisKind::kStep: return render::MemoryAxis::kStep;
    case AxisKind::kMeasuredTime:
      if (scene.measured != nullptr) return render::MemoryAxis::kMeasuredTime;
      break;
    case AxisKind::kTime:
      if (render::has_clock(scene, view.device)) return render::MemoryAxis::kTime;
  }
  return render::MemoryAxis::kLevel;
}

AxisRange& memory_range(ViewState& view, render::MemoryAxis axis) {
  return range_in(view, axis);
}

const AxisRange& memory_range(const ViewState& view, render::MemoryAxis axis) {
  return range_in(view, axis);
}

render::MemoryLook memory_look(const UiModel& model, const ViewState& view, ViewCache& cache,
                               render::Rect area) {
  const render::MemoryAxis axis = memory_axis_of(view, *model.scene);
  const AxisRange& range = memory_range(view, axis);
  return {.scene = &*model.scene,
          .memory = &cache.memory(*model.scene, view.device, axis),
          .palette = &render::palette(view.theme),
          .area = area,
          .range = {range.first, range.span},
          .detail_0_1 = view.detail_0_1,
          .show_bands = view.tab == Tab::kMemory,
          .show_original = view.show_original,
          .selected = view.selected,
          .hovered = view.hovered,
          .cursor = view.cursor,
          .player = view.player,
          .font_px = view.font_px * view.scale,
          .marks = shown_marks(*model.scene, view, Tab::kMemory, axis_kind(axis))};
}

render::ViewPart shown_part(const ViewState& view, const render::Scene& scene, Tab tab) {
  ViewState seen = view;
  seen.tab = tab;
  const render::MemoryAxis axis = memory_axis_of(seen, scene);
  const AxisRange& range = tab == Tab::kTimeline ? view.trace
                           : tab == Tab::kScopes ? view.scopes
                           : tab == Tab::kMemory ? memory_range(view, axis)
                                                 : view.axis;
  render::ViewPart part = {.range = {range.first, range.span},
                           .row_zoom = view.y_zoom,
                           .timeline_scroll_px = static_cast<float>(view.trace_scroll_px),
                           .selected = view.selected,
                           .scopes = view.boxes,
                           .diff = view.diff,
                           .memory_axis = axis,
                           .device = view.device,
                           .detail_0_1 = view.detail_0_1,
                           .pinned = view.pinned,
                           .player = view.player,
                           .levels_color = view.levels_color,
                           .show_original = view.show_original,
                           .show_candidates = view.show_candidates,
                           .show_control_edges = view.show_control_edges};
  // The rows of a picture have another height: the share stays.
  part.row_scroll_0_1 = view.y_scroll_share.value_or(
      view.y_most_scroll_px > 0 ? view.y_scroll_px / view.y_most_scroll_px : 0);
  part.marks = shown_marks(scene, view, tab, axis_kind(axis));
  if (view.stretch) part.stretch = {view.stretch->from_us, view.stretch->to_us};
  return part;
}

std::string picture_json(const render::LevelsLook& look, std::uint64_t revision,
                         const std::optional<render::LevelStretchLook>& stretch) {
  render::DrawList list;
  render::draw_levels(list, look);
  if (stretch) render::draw_level_stretch(list, *stretch);
  return list.json({revision, render::levels_axis(look), look.ops->level_count, look.y_scroll_px});
}

std::string picture_json(const render::MemoryLook& look, std::uint64_t revision,
                         const std::optional<render::LevelStretchLook>& stretch) {
  render::DrawList list;
  render::draw_memory(list, look);
  if (stretch) render::draw_level_stretch(list, *stretch);
  return list.json({revision, render::memory_axis(look), look.memory->count});
}

}  // namespace tideline::ui
