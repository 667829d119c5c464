// Tested by unit/model/timeline_look_test.cc.
#include "render/model/timeline_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "render/model/axis_range.h"
#include "render/model/shown_marks.h"
#include "render/view/draw_list.h"
#include "render/view/timeline_frame.h"

namespace tideline::ui {
namespace {

constexpr double kNsOfUs = 1000;

}  // namespace

render::TimelineLook timeline_look(const UiModel& model, const ViewState& view, ViewCache& cache,
                                   render::Rect area) {
  render::TimelineLook look = {.scene = &*model.scene,
                               .timeline = &cache.timeline(*model.scene),
                               .palette = &render::palette(view.theme),
                               .area = area,
                               .range = {view.trace.first, view.trace.span},
                               .scroll_px = static_cast<float>(view.trace_scroll_px),
                               .stretch = {},
                               .selected = {},
                               .cursor = {},
                               .font_px = view.font_px * view.scale,
                               .marks = shown_marks(*model.scene, view, Tab::kTimeline, {})};
  if (view.stretch) look.stretch = {view.stretch->from_us, view.stretch->to_us};
  if (view.selected) look.selected = view.selected->op;
  return look;
}

void limit_bands(ViewState& view, render::TimelineLook& look) {
  const double most = std::max(0.0F, render::timeline_height(look) - look.area.height());
  const bool is_number = std::isfinite(view.trace_scroll_px);
  view.trace_scroll_px = is_number ? std::clamp(view.trace_scroll_px, 0.0, most) : 0;
  look.scroll_px = static_cast<float>(view.trace_scroll_px);
}

AxisRange range_around(const render::TimelineLayout& timeline, ZonePlace place) {
  const TraceZone& zone = timeline.trace.zone(place);
  const double from = static_cast<double>(zone.from_ns) / kNsOfUs;
  const double span =
      std::max(kLeastSpan, static_cast<double>(zone.to_ns - zone.from_ns) / kNsOfUs);
  return clamped({from - span * 0.1, span * 1.2}, timeline.count);
}

std::optional<render::Rect> rect_of(const render::TimelineLook& look,
                                    const render::TimelineHit& hit) {
  if (!hit.zone) return std::nullopt;
  const render::TimelineRows rows = render::timeline_rows(look);
  const render::Rect plot = render::timeline_plot(look);
  const render::Axis axis = render::timeline_axis(look);
  float y = plot.y0 - look.scroll_px;
  for (const render::TimelineBand& band : look.timeline->bands) {
    if (band.kind == render::TimelineBand::Kind::kLane && band.index == hit.zone->lane) break;
    y += render::timeline_band_px(band, rows, look.font_px);
  }
  y += static_cast<float>(hit.zone->track) * rows.track_px;
  const TraceZone& zone = look.timeline->trace.zone(*hit.zone);
  const auto x_of = [&](std::int64_t ns) {
    return std::clamp(axis.x(render::us_of_ns(ns)), plot.x0, plot.x1);
  };
  return render::Rect{x_of(zone.from_ns), std::max(y, plot.y0), x_of(zone.to_ns),
                      std::min(y + rows.track_px - 1, plot.y1)};
}

TimeStretch measured_stretch(const ViewState& view, const render::TimelineLayout& timeline) {
  return view.stretch.value_or(
      TimeStretch{0, static_cast<double>(timeline.trace.span_ns) / kNsOfUs});
}

std::string stretch_title(const ViewState& view, const TimeStretch& stretch,
                          const RangeStatistics& statistics) {
  const auto time = [](double us) { return format_time(std::llround(us * kNsOfUs)); };
  return fmt::format("{}: {} from {} to {}, waiting for late swap-ins {}",
                     view.stretch ? "Stretch" : "Whole step", time(stretch.to_us - stretch.from_us),
                     time(stretch.from_us), time(stretch.to_us), format_time(statistics.late_ns));
}

std::string picture_json(const render::TimelineLook& look, std::uint64_t revision) {
  render::DrawList list;
  render::draw_timeline(list, look);
  return list.json({revision, render::timeline_axis(look), look.timeline->count, look.scroll_px});
}

}  // namespace tideline::ui
