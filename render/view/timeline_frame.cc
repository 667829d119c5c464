// Tested by tests/unit/view/timeline_view_test.cc.
#include "render/view/timeline_frame.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/memory/measured/lane_names.h"

namespace tideline::render {
namespace {

constexpr double kNsPerUs = 1000;
constexpr std::int64_t kMostUs = 2'000'000'000;
constexpr float kTrackShare = 1.3F;   // height of a track, of the font's
constexpr float kMostTrackShare = 4;  // where there is room, if there is memory to show
constexpr float kMemoryRowShare = 4.5F;
constexpr float kGapShare = 0.5F;
constexpr float kGutterShare = 9;
constexpr float kAxisShare = 1.6F;

float timeline_height_of(const TimelineLook& look, const TimelineRows& rows) {
  float high = look.font_px * kAxisShare;
  for (const TimelineBand& band : look.timeline->bands) {
    high += timeline_band_px(band, rows, look.font_px);
  }
  return high;
}

}  // namespace

TimelineRows timeline_rows(const TimelineLook& look) {
  const float font = look.font_px;
  TimelineRows rows = {font * kTrackShare, font * kMemoryRowShare};
  const float room = look.area.height() - timeline_height_of(look, rows);
  if (!look.fills_area || room <= 0) return rows;
  float tracks = 0;
  float memories = 0;
  for (const TimelineBand& band : look.timeline->bands) {
    const bool is_memory = band.kind == TimelineBand::Kind::kMemory;
    (is_memory ? memories : tracks) += is_memory ? 1 : static_cast<float>(band.rows);
  }
  if (tracks == 0 && memories == 0) return rows;
  // A curve is worth more height than a bar with a name in it.
  const float units = memories * kMemoryRowShare + tracks * kTrackShare;
  const float grown = font * kTrackShare * (1 + room / (units * font));
  rows.track_px = memories == 0 ? grown : std::min(grown, font * kMostTrackShare);
  if (memories == 0) return rows;
  const float taken = (rows.track_px - font * kTrackShare) * tracks;
  rows.memory_px += (room - taken) / memories;
  return rows;
}

float timeline_band_px(const TimelineBand& band, const TimelineRows& rows, float font_px) {
  const float gap = font_px * kGapShare;
  if (band.kind == TimelineBand::Kind::kMemory) return rows.memory_px + gap;
  return rows.track_px * static_cast<float>(band.rows) + gap;
}

Rect timeline_plot(const TimelineLook& look) {
  Rect plot = look.area;
  plot.x0 = std::min(plot.x0 + look.font_px * kGutterShare, plot.x1 - 1);
  plot.y0 = std::min(plot.y0 + look.font_px * kAxisShare, plot.y1);
  return plot;
}

double us_of_ns(std::int64_t ns) {
  return static_cast<double>(ns) / kNsPerUs;
}

std::int64_t ns_of_us(double us) {
  return static_cast<std::int64_t>(std::clamp(us, -1e12, 1e15) * kNsPerUs);
}

// The first zone of a track that ends behind `ns`.
std::size_t first_zone_behind(const std::vector<TraceZone>& track, std::int64_t ns,
                              std::size_t from) {
  const auto found = std::partition_point(
      track.begin() + static_cast<std::ptrdiff_t>(from), track.end(),
      [ns](const TraceZone& zone) { return zone.to_ns <= ns && zone.from_ns < ns; });
  return static_cast<std::size_t>(found - track.begin());
}

TimelineLayout layout_timeline(const Scene& scene) {
  TimelineLayout layout;
  if (scene.measured == nullptr) return layout;
  layout.trace = lay_out_trace(*scene.graph, scene.measured->trace);
  const std::int64_t us = (layout.trace.span_ns + 999) / 1000;
  layout.count = static_cast<std::int32_t>(std::clamp<std::int64_t>(us, 1, kMostUs));
  const auto& lanes = layout.trace.lanes;
  const auto& devices = scene.measured->devices;
  // The first of each name, as the memory of one device is drawn once.
  std::map<std::string, std::uint32_t> by_name;
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    by_name.try_emplace(device_of_lane(devices[i].device, layout.trace.has_tasks), i);
  }
  std::vector<std::string> names;
  for (const ZoneLane& lane : lanes) {
    names.push_back(device_of_lane(lane.device, layout.trace.has_tasks));
  }
  for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
    layout.bands.push_back(
        {TimelineBand::Kind::kLane, lane, static_cast<std::uint32_t>(lanes[lane].tracks.size())});
    if (lane + 1 < lanes.size() && names[lane] == names[lane + 1]) continue;  // more lanes of it
    const auto device = by_name.find(names[lane]);
    if (device == by_name.end() || devices[device->second].peak <= 0) continue;
    layout.bands.push_back({TimelineBand::Kind::kMemory, device->second, 1});
  }
  return layout;
}

Axis timeline_axis(const TimelineLook& look) {
  const Rect plot = timeline_plot(look);
  return make_axis(look.range, look.timeline->count, plot.x0, plot.x1);
}

float timeline_height(const TimelineLook& look) {
  return timeline_height_of(look, timeline_rows(look));
}

}  // namespace tideline::render
