// One frame of the memory view, measured; shared by drawing and hit tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "render/view/memory_view.h"

namespace tideline::render {

/// Positions [begin, end) that are drawn as one: a position, or those of about a pixel.
struct Column {
  float x0 = 0, x1 = 0;
  std::int32_t begin = 0, end = 0;
};

struct MemoryFrame {
  const MemoryLook& look;
  Axis axis = {};
  Rect chart = {}, ticks = {}, legend = {};
  double top_bytes = 1;  ///< at the upper edge of the chart
  float small_px = 12;
  std::vector<Column> columns = {};

  [[nodiscard]] float y(double bytes) const;
  /// A curve as steps, the most of each column; for Canvas::polyline and area.
  [[nodiscard]] std::vector<Point> points(const Curve& curve) const;
  [[nodiscard]] const Curve& shown() const;  ///< after, or before without a policy
  /// Whether there is enough on the host to see: a few constants are no curve.
  [[nodiscard]] bool shows_host() const;
};

[[nodiscard]] MemoryFrame measure_memory(const MemoryLook& look);

/// Bytes from the bottom to the top of one band, by column.
struct MemoryBand {
  MemoryKind kind = MemoryKind::kTemporary;
  std::int32_t buffer = -1;  ///< index of FaithfulStep::buffers; -1: all others of its kind
  std::vector<Bytes> bytes;
};
/// Bottom first. What the columns show is the step with the most, so the bands add up to the curve.
/// `detail` of the look decides how many have a band of their own. Empty without buffers.
[[nodiscard]] std::vector<MemoryBand> stack_bands(const MemoryFrame& frame);

/// "2 GiB" for an axis: the unit follows from the largest value.
struct ByteUnit {
  double bytes = 1;
  const char* name = "B";
};
[[nodiscard]] ByteUnit axis_unit(double largest);

}  // namespace tideline::render
