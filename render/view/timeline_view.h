// The timeline: a traced step in lanes by device and stream, with swaps, late swap-ins and memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/memory/measured/trace_lanes.h"
#include "render/view/axis.h"
#include "render/view/bookmark_marks.h"
#include "render/view/canvas.h"
#include "render/view/palette.h"
#include "render/view/scene.h"

namespace tideline::render {

/// What stands below each other, at any height of the letters.
struct TimelineBand {
  enum class Kind : std::uint8_t { kLane, kMemory };
  Kind kind = Kind::kLane;
  std::uint32_t index = 0;  ///< of LanedTrace::lanes, or of MeasuredRun::devices
  std::uint32_t rows = 1;   ///< tracks of a lane
};

/// The layout of a traced step. Positions of its axis are microseconds from its beginning.
struct TimelineLayout {
  LanedTrace trace;
  std::int32_t count = 0;  ///< positions, at most 2e9: what lies behind is not shown
  /// The lanes of each device, its copies below its kernels, then its memory.
  std::vector<TimelineBand> bands;
};
/// Without a traced step there are no bands. Cost: O(rows log rows). Thread: pure.
[[nodiscard]] TimelineLayout layout_timeline(const Scene& scene);

/// A stretch of the axis.
struct TimelineStretch {
  double from_us = 0, to_us = 0;
};

/// The options of one frame. Pointers are not null and must outlive this; the scene has a traced
/// step.
struct TimelineLook {
  const Scene* scene = nullptr;
  const TimelineLayout* timeline = nullptr;
  const Palette* palette = nullptr;
  Rect area;
  VisibleRange range;
  float scroll_px = 0;      ///< what is above the upper edge
  bool fills_area = false;  ///< bands grow to the height of the area
  std::optional<TimelineStretch> stretch;
  std::optional<OpId> selected;
  std::optional<double> cursor;  ///< position
  float font_px = 15;
  std::vector<BookmarkMark> marks = {};  ///< bookmarks at the axis
};

[[nodiscard]] Axis timeline_axis(const TimelineLook& look);
/// The height of all bands together, which `scroll_px` moves through the area.
[[nodiscard]] float timeline_height(const TimelineLook& look);
/// Draws a frame. Executions that are narrower than a pixel are drawn together: at most two shapes
/// for each pixel and visible track. Cost: O(visible tracks x pixels x log zones + swaps + points
/// of the memory's curve). Thread: pure.
void draw_timeline(Canvas& canvas, const TimelineLook& look);

struct TimelineHit {
  std::optional<double> at_us;        ///< nullopt outside of the axis
  std::optional<ZonePlace> zone;      ///< the execution under the point
  std::optional<std::size_t> gap;     ///< index of LanedTrace::gaps
  std::optional<std::size_t> device;  ///< of whose memory the point is: MeasuredRun::devices
  Bytes bytes = 0;                    ///< live there on `device`
};
[[nodiscard]] TimelineHit hit_timeline(const TimelineLook& look, Point point);
/// What is known of the hit, in lines: name, type, times; empty for a place without anything.
[[nodiscard]] std::string timeline_hit_text(const Scene& scene, const TimelineLayout& timeline,
                                            const TimelineHit& hit);

/// "GPU:0" or "GPU:0 stream:7", "memory of GPU:0".
[[nodiscard]] std::string band_name(const Scene& scene, const TimelineLayout& timeline,
                                    const TimelineBand& band);

/// The statistics of a stretch as text: lanes, then the types of ops with the most time.
[[nodiscard]] std::string statistics_text(const Scene& scene, const TimelineLayout& timeline,
                                          TimelineStretch stretch, std::size_t most_types);

}  // namespace tideline::render
