// The memory view: device and host memory over a step, before and after, with budget and peaks; and
// the contents of device memory as bands and as a table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/view/axis.h"
#include "render/view/bookmark_marks.h"
#include "render/view/canvas.h"
#include "render/view/curve.h"
#include "render/view/hit.h"
#include "render/view/link_layout.h"
#include "render/view/palette.h"
#include "render/view/scene.h"

namespace tideline::render {

inline constexpr std::size_t kMostOwnBands = 48;

/// The meaning of positions on the axis.
enum class MemoryAxis : std::uint8_t {
  kLevel,         ///< levels of Scene::levels, as in the level view
  kStep,          ///< ops of the shown step, in the order in which they run; Scene::runs one after
                  ///< the other, if there are some
  kMeasuredTime,  ///< intervals of the traced step's time (measured_curve.h)
  kTime,          ///< intervals of the shown step's estimated time (clock_curve.h)
};
/// Whether positions are intervals of time.
[[nodiscard]] constexpr bool is_time(MemoryAxis axis) {
  return axis == MemoryAxis::kMeasuredTime || axis == MemoryAxis::kTime;
}

/// Said where the tensors in memory would be listed.
inline constexpr const char* kNoTensorsOfRuns =
    "Of the runs of a cycle the bytes are shown, not the tensors: choose levels for those of the "
    "plain step.";

/// A run of a cycle on the axis of steps.
struct RunSpan {
  std::string name;
  std::int32_t begin = 0, end = 0;  ///< positions [begin, end)
  Bytes peak = 0;
  std::int32_t peak_at = -1;  ///< -1: nothing runs
};

/// One device of a scene over an axis. The shown step is the one with the policy if there is a
/// policy, else the original one. The value of a level is the maximum of its steps; a level without
/// steps repeats the previous value. Invariant: the maximum of a curve is its timeline's peak.
struct MemoryLayout {
  MemoryAxis axis = MemoryAxis::kLevel;
  std::uint32_t device = 0;  ///< index of Scene::devices
  std::int32_t count = 0;    ///< positions
  bool has_after = false;
  Curve before;
  Curve after;                        ///< empty without a policy
  Curve host;                         ///< of the shown step
  Curve measured;                     ///< of the device in the traced step; empty without
  double unit_ms = 0;                 ///< of an axis of time: duration of a position
  std::vector<std::int32_t> step_at;  ///< by position: the step of the shown value; -1: none yet
  Bytes resident = 0, before_peak = 0, after_peak = 0, host_peak = 0;
  std::int32_t before_peak_at = -1, after_peak_at = -1, host_peak_at = -1;  ///< positions
  /// Of a cycle; empty for a step. Then `before` is the memory of the runs, with their largest
  /// peak, and nothing is known of buffers.
  std::vector<RunSpan> runs;
  LinkLayout link;  ///< for kTime; empty without copies
  /// Bytes on the device by step and kind, for the shown step; empty without buffers.
  std::vector<std::array<Bytes, kMemoryKinds>> kinds;
  /// Indices of the most significant FaithfulStep::buffers on the device, in descending order; at
  /// most kMostOwnBands. Empty without buffers.
  std::vector<std::uint32_t> large_buffers;

  [[nodiscard]] double unit_ns() const { return unit_ms * 1e6; }
};

/// Computes the layout; a `device` out of range means the last one. Cost: O(steps + buffers).
/// Thread: pure.
[[nodiscard]] MemoryLayout layout_memory(const Scene& scene, std::size_t device, MemoryAxis axis);

/// By op: its step in `timeline`; -1 or out of range for an op that does not run.
[[nodiscard]] std::vector<std::int32_t> steps_by_op(const MemoryTimeline& timeline);

/// A position as text: "level 12", "step 340", "1.25 ms".
[[nodiscard]] std::string position_text(const MemoryLayout& memory, double position);

/// How curves are called that are not those of a policy and its graph.
struct MemorySides {
  std::string before, after;   ///< whose curves they are
  std::string axis;            ///< what the curves stand over
  std::string missing = {};    ///< what there is no curve of
  std::string unit = "level";  ///< of the axis
  double per_position = 1;     ///< of that unit
};

/// The options of one frame. Pointers are not null and must outlive this.
struct MemoryLook {
  const Scene* scene = nullptr;
  const MemoryLayout* memory = nullptr;
  const Palette* palette = nullptr;
  Rect area;
  VisibleRange range;
  double detail_0_1 = 0.5;  ///< of the bands: higher values give smaller tensors their own band
  bool show_bands = false;  ///< tensors in device memory instead of one area
  bool show_original = true;
  std::optional<TensorId> selected;
  std::optional<TensorId> hovered = {};
  std::optional<double> cursor;        ///< position
  std::optional<double> player = {};   ///< level of the step player; on the axis of levels alone
  const MemorySides* sides = nullptr;  ///< null: without and with the policy
  float font_px = 15;
  std::vector<BookmarkMark> marks = {};  ///< bookmarks at the axis
};

/// What the chart leaves free at both sides of the axis.
[[nodiscard]] constexpr float memory_margin_px(float font_px) {
  return font_px * 0.5F;
}
/// The horizontal axis; equal to levels_axis for the same area, range, font and number of
/// positions.
[[nodiscard]] Axis memory_axis(const MemoryLook& look);
/// Draws a frame with at most some hundreds of calls of the canvas. Cost: O(pixels x bands).
/// Thread: pure.
void draw_memory(Canvas& canvas, const MemoryLook& look);

/// A buffer that is live at a position.
struct LiveRow {
  TensorId tensor;  ///< ids of added copies follow those of the graph
  Bytes bytes = 0;
  MemoryKind kind = MemoryKind::kTemporary;
  std::int32_t from_level = 0, to_level = 0;  ///< of Scene::levels
};
struct LiveRows {
  std::vector<LiveRow> rows;  ///< largest first, then by tensor
  std::int64_t count = 0;     ///< number of all live buffers, including those beyond the limit
  Bytes bytes = 0;            ///< of all live buffers
  std::int32_t step = -1;     ///< the step; -1: none
};
/// The buffers on the device at a position, at most `limit`. The compatible model knows them only
/// at the peak; elsewhere there are no rows. Cost: O(buffers). Thread: pure.
[[nodiscard]] LiveRows live_at(const Scene& scene, const MemoryLayout& memory, double position,
                               std::size_t limit);

struct MemoryHit {
  std::optional<double> position;         ///< nullopt outside of the chart
  std::optional<TensorId> tensor;         ///< of the band under the point
  std::optional<Rect> rect;               ///< of the band there, a column wide
  Bytes before = 0, after = 0, host = 0;  ///< values there
  Hit item = {};  ///< of the link track, or the legend; then only the position is known
};
[[nodiscard]] MemoryHit hit_memory(const MemoryLook& look, Point point);

}  // namespace tideline::render
