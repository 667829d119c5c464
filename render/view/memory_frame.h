// The geometry of one frame of the memory view, shared by drawing and hit tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/view/labels.h"
#include "render/view/legend.h"
#include "render/view/link_track.h"
#include "render/view/memory_view.h"

namespace tideline::render {

/// Positions [begin, end) that are drawn together: one position, or those within about a pixel.
struct Column {
  float x0 = 0, x1 = 0;
  std::int32_t begin = 0, end = 0;
};

struct MemoryFrame {
  const MemoryLook& look;
  Axis axis = {};
  Rect link = {};  ///< of the link track above the chart; empty without copies, or without room
  Rect chart = {}, ticks = {}, legend = {};
  Legend words = {};     ///< of the legend
  double top_bytes = 1;  ///< at the upper edge of the chart
  float small_px = 12;
  std::vector<Column> columns = {};

  [[nodiscard]] float y(double bytes) const;
  /// A curve as a step line with the maximum of each column; for Canvas::polyline and area.
  [[nodiscard]] std::vector<Point> points(const Curve& curve) const;
  [[nodiscard]] const Curve& shown() const;  ///< `after`, or `before` without a policy
  /// Whether there is enough host memory to draw a curve; a few constants are not.
  [[nodiscard]] bool shows_host() const;
};

[[nodiscard]] MemoryFrame measure_memory(const MemoryLook& look);
/// What stands below the chart: at a tick, and at the end of all.
[[nodiscard]] std::string tick_text(const MemoryLook& look, int at);
[[nodiscard]] std::string unit_name(const MemoryLook& look);
/// Of `frame.link`.
[[nodiscard]] LinkTrack link_track(const MemoryFrame& frame);
/// The moment of the step player, if there is one on this axis; its numbers take their place in
/// `labels`.
void draw_player(Canvas& canvas, const MemoryFrame& frame, Labels& labels);
/// Of the legend.
[[nodiscard]] std::vector<LegendEntry> legend_entries(const MemoryFrame& frame);

/// The height of one band in bytes, by column.
struct MemoryBand {
  MemoryKind kind = MemoryKind::kTemporary;
  std::int32_t buffer = -1;  ///< index of FaithfulStep::buffers; -1: all others of its kind
  std::vector<Bytes> bytes;
};
/// The bands from the bottom up. A column shows its step with the highest total, so that the bands
/// add up to the curve. The look's `detail_0_1` decides how many buffers have their own band. Empty
/// without buffers.
[[nodiscard]] std::vector<MemoryBand> stack_bands(const MemoryFrame& frame);

}  // namespace tideline::render
