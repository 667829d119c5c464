// The memory view: device and host memory over a step, before and after, with budget and peaks; and
// what lies in device memory, as bands and as a table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/view/axis.h"
#include "render/view/canvas.h"
#include "render/view/curve.h"
#include "render/view/palette.h"
#include "render/view/scene.h"

namespace tideline::render {

inline constexpr std::size_t kMostOwnBands = 48;

/// What the positions of the axis are.
enum class MemoryAxis : std::uint8_t {
  kLevel,         ///< levels of Scene::levels, as in the level view
  kStep,          ///< ops in the order in which they run, of the step that is shown
  kMeasuredTime,  ///< stretches of the time that the traced step took (measured_curve.h)
};

/// One device of a scene over an axis. The step that is shown is the one with the policy when there
/// is one, else the one before. The value of a level is the most of its steps; a level without
/// steps keeps the value before it. Invariant: the most of a curve is its timeline's peak.
struct MemoryLayout {
  MemoryAxis axis = MemoryAxis::kLevel;
  std::uint32_t device = 0;  ///< index of Scene::devices
  std::int32_t count = 0;    ///< positions
  bool has_after = false;
  Curve before;
  Curve after;                        ///< empty without a policy
  Curve host;                         ///< of the step that is shown
  Curve measured;                     ///< of the traced step; empty without one, and by step
  double unit_ms = 0;                 ///< of kMeasuredTime: how long a position is
  std::vector<std::int32_t> step_at;  ///< by position: the step of the shown value; -1: none yet
  Bytes resident = 0, before_peak = 0, after_peak = 0, host_peak = 0;
  std::int32_t before_peak_at = -1, after_peak_at = -1, host_peak_at = -1;  ///< positions
  /// Of the shown step's timeline: bytes on the device by step and kind; empty without buffers.
  std::vector<std::array<Bytes, kMemoryKinds>> kinds;
  /// Indices of FaithfulStep::buffers on the device, those that matter most first; at most
  /// kMostOwnBands of them. Empty without buffers.
  std::vector<std::uint32_t> large_buffers;
};

/// `device` beyond the last one means the last. Cost: O(steps + buffers). Thread: pure.
[[nodiscard]] MemoryLayout layout_memory(const Scene& scene, std::size_t device, MemoryAxis axis);

/// "level 12", "step 340", "1.25 ms".
[[nodiscard]] std::string position_text(const MemoryLayout& memory, double position);

/// What one frame looks like. Pointers are never null and outlive the look.
struct MemoryLook {
  const Scene* scene = nullptr;
  const MemoryLayout* memory = nullptr;
  const Palette* palette = nullptr;
  Rect area;
  VisibleRange range;
  double detail_0_1 = 0.5;  ///< of the bands: how small a tensor still gets one of its own
  bool show_bands = false;  ///< tensors in device memory instead of one blue area
  bool show_original = true;
  std::optional<TensorId> selected;
  std::optional<double> cursor;  ///< position
  float font_px = 15;
};

/// The same as levels_axis when area, range, font and number of positions are the same.
[[nodiscard]] Axis memory_axis(const MemoryLook& look);
/// Some hundreds of calls of the canvas at most. Cost: O(pixels x bands). Thread: pure.
void draw_memory(Canvas& canvas, const MemoryLook& look);

/// A buffer that is there at a position.
struct LiveRow {
  TensorId tensor;  ///< ids of added copies follow those of the graph
  Bytes bytes = 0;
  MemoryKind kind = MemoryKind::kTemporary;
  std::int32_t from_level = 0, to_level = 0;  ///< of Scene::levels
};
struct LiveRows {
  std::vector<LiveRow> rows;  ///< largest first, then by tensor
  std::int64_t count = 0;     ///< of all, also of those beyond the limit
  Bytes bytes = 0;            ///< of all
  std::int32_t step = -1;     ///< which step this is; -1: none
};
/// What lies on the device at a position. On the compatible model it is known at the peak only;
/// elsewhere there are no rows then. Cost: O(buffers). Thread: pure.
[[nodiscard]] LiveRows live_at(const Scene& scene, const MemoryLayout& memory, double position,
                               std::size_t limit);

struct MemoryHit {
  std::optional<double> position;         ///< nothing outside of the chart
  std::optional<TensorId> tensor;         ///< of the band under the point
  Bytes before = 0, after = 0, host = 0;  ///< values there
};
[[nodiscard]] MemoryHit hit_memory(const MemoryLook& look, Point point);

}  // namespace tideline::render
