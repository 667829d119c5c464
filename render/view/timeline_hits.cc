// What is under the mouse in the timeline, and statistics, as text. Tested by
// tests/unit/view/timeline_view_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/memory/measured/lane_names.h"
#include "core/memory/measured/traced_names.h"
#include "render/view/timeline_frame.h"

namespace tideline::render {
namespace {

// "3.2 ms  12 x  mean 270 us  longest 1.1 ms (conv1/Conv2D)".
std::string statistics_line(const StepTrace& trace, const LanedTrace& laned,
                            const ZoneStatistics& all) {
  if (all.count == 0) return "nothing";
  const TracedOp& longest = trace.ops[laned.zone(all.longest).row];
  return fmt::format("total {}, count {}, mean {}, longest {} ({})", format_time(all.total_ns),
                     all.count, format_time(std::llround(all.mean_ns())),
                     format_time(all.longest_ns), printable(longest.name, 400));
}

}  // namespace

TimelineHit hit_timeline(const TimelineLook& look, Point point) {
  TimelineHit hit;
  const Rect plot = timeline_plot(look);
  if (!plot.contains(point)) return hit;
  const Axis axis = timeline_axis(look);
  hit.at_us = axis.position(point.x);
  const LanedTrace& laned = look.timeline->trace;
  const TimelineRows rows = timeline_rows(look);
  float y = plot.y0 - look.scroll_px;
  for (const TimelineBand& band : look.timeline->bands) {
    const float high = timeline_band_px(band, rows, look.font_px);
    if (point.y < y || point.y >= y + high) {
      y += high;
      continue;
    }
    if (band.kind == TimelineBand::Kind::kMemory) {
      const MeasuredStep& step = look.scene->measured->devices[band.index];
      const std::int64_t at_ns = saturating_add(ns_of_us(*hit.at_us), laned.begin_ns);
      const auto behind =
          std::partition_point(step.curve.begin(), step.curve.end(),
                               [at_ns](const CurvePoint& curve) { return curve.at_ns <= at_ns; });
      hit.device = band.index;
      hit.bytes = behind == step.curve.begin() ? 0 : std::prev(behind)->bytes;
      return hit;
    }
    const auto track = static_cast<std::uint32_t>((point.y - y) / rows.track_px);
    const auto& tracks = laned.lanes[band.index].tracks;
    if (track < tracks.size()) {
      // With half a pixel of room, for those that are narrower.
      const std::int64_t from_ns = ns_of_us(axis.position(point.x - 1));
      const std::int64_t to_ns = ns_of_us(axis.position(point.x + 1));
      const std::size_t zone = first_zone_behind(tracks[track], from_ns, 0);
      if (zone < tracks[track].size() && tracks[track][zone].from_ns <= to_ns) {
        hit.zone = ZonePlace{band.index, track, static_cast<std::uint32_t>(zone)};
      }
    }
    for (std::size_t gap = 0; gap < laned.gaps.size() && !hit.zone; ++gap) {
      const bool is_inside = laned.gaps[gap].lane == band.index &&
                             us_of_ns(laned.gaps[gap].from_ns) <= *hit.at_us &&
                             *hit.at_us < us_of_ns(laned.gaps[gap].to_ns);
      if (is_inside) hit.gap = gap;
    }
    return hit;
  }
  return hit;
}

std::string timeline_hit_text(const Scene& scene, const TimelineLayout& timeline,
                              const TimelineHit& hit) {
  const StepTrace& trace = scene.measured->trace;
  const auto name_of = [&](ZonePlace place) {
    return printable(trace.ops[timeline.trace.zone(place).row].name, 400);
  };
  if (hit.zone) {
    const TraceZone& zone = timeline.trace.zone(*hit.zone);
    std::string text = name_of(*hit.zone);
    const std::string type = printable(traced_type(trace.ops[zone.row]), 200);
    if (!type.empty()) text += "\n" + type;
    text += fmt::format("\n{}, from {}", format_time(zone.to_ns - zone.from_ns),
                        format_time(zone.from_ns));
    const Bytes temporary = trace.ops[zone.row].temporary_bytes;
    if (temporary > 0) text += "\nscratch memory " + format_bytes(temporary);
    return text;
  }
  if (hit.gap) {
    const LateGap& gap = timeline.trace.gaps[*hit.gap];
    return fmt::format("idle for {}\n{}\nwaits for the late swap-in {}",
                       format_time(gap.to_ns - gap.from_ns), name_of(gap.reader),
                       name_of(gap.swap_in));
  }
  if (hit.device) {
    return fmt::format("{}\n{} allocated in this step", format_time(ns_of_us(*hit.at_us)),
                       format_bytes(hit.bytes));
  }
  return {};
}

std::string band_name(const Scene& scene, const TimelineLayout& timeline,
                      const TimelineBand& band) {
  if (band.kind == TimelineBand::Kind::kMemory) {
    return "memory of " + printable(short_lane_name(scene.measured->devices[band.index].device,
                                                    timeline.trace.has_tasks));
  }
  return printable(
      short_lane_name(timeline.trace.lanes[band.index].device, timeline.trace.has_tasks));
}

std::string statistics_text(const Scene& scene, const TimelineLayout& timeline,
                            TimelineStretch stretch, std::size_t most_types) {
  const StepTrace& trace = scene.measured->trace;
  const RangeStatistics statistics =
      range_statistics(trace, timeline.trace, ns_of_us(stretch.from_us), ns_of_us(stretch.to_us));
  std::string text = fmt::format("from {} to {}\n", format_time(ns_of_us(stretch.from_us)),
                                 format_time(ns_of_us(stretch.to_us)));
  for (std::size_t lane = 0; lane < statistics.lanes.size(); ++lane) {
    const LaneStatistics& own = statistics.lanes[lane];
    text += fmt::format(
        "lane {}: {}, busy {}\n",
        printable(short_lane_name(timeline.trace.lanes[lane].device, timeline.trace.has_tasks)),
        statistics_line(trace, timeline.trace, own.all), format_time(own.busy_ns));
  }
  for (std::size_t i = 0; i < std::min(most_types, statistics.types.size()); ++i) {
    const TypeStatistics& type = statistics.types[i];
    text += fmt::format("type {}: {}\n", type.type.empty() ? "(none)" : printable(type.type),
                        statistics_line(trace, timeline.trace, type.all));
  }
  text += fmt::format("swaps {}, late {}, waiting {}\n", timeline.trace.swaps.size(),
                      timeline.trace.gaps.size(), format_time(statistics.late_ns));
  return text;
}

}  // namespace tideline::render
