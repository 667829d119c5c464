// The geometry of one frame of the timeline, shared by drawing and hit tests.
#pragma once

#include <cstdint>
#include <vector>

#include "render/view/timeline_view.h"

namespace tideline::render {

/// The heights of what bands consist of, without the gaps below them.
struct TimelineRows {
  float track_px = 0, memory_px = 0;
};
/// Cost: O(bands).
[[nodiscard]] TimelineRows timeline_rows(const TimelineLook& look);

/// The area without the axis above and the names at the left.
[[nodiscard]] Rect timeline_plot(const TimelineLook& look);
/// The height of a band, with the gap below it.
[[nodiscard]] float timeline_band_px(const TimelineBand& band, const TimelineRows& rows,
                                     float font_px);

[[nodiscard]] double us_of_ns(std::int64_t ns);
/// Clamped to what is far outside of any step.
[[nodiscard]] std::int64_t ns_of_us(double us);

/// The first zone of a track, from index `from` on, that ends behind `ns`, or begins there.
/// Cost: O(log zones).
[[nodiscard]] std::size_t first_zone_behind(const std::vector<TraceZone>& track, std::int64_t ns,
                                            std::size_t from);

}  // namespace tideline::render
