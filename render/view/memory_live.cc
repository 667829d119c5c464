// The buffers in device memory at one position, as rows.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "render/view/memory_view.h"

namespace tideline::render {
namespace {

// Levels of the steps of a timeline, as the axis of levels counts them.
class StepLevels {
 public:
  StepLevels(const Scene& scene, const MemoryTimeline& timeline)
      : scene_(scene), timeline_(timeline) {}

  [[nodiscard]] std::int32_t at(std::int32_t step) const {
    const auto steps = static_cast<std::int32_t>(timeline_.schedule.size());
    for (std::int32_t i = std::clamp(step, -1, steps - 1); i >= 0; --i) {
      const OpId op = timeline_.schedule[static_cast<std::size_t>(i)];
      if (op.value < scene_.graph->op_count()) return scene_.levels->level(op);
    }
    return 0;
  }

 private:
  const Scene& scene_;
  const MemoryTimeline& timeline_;
};

void add(LiveRows& live, const TensorId tensor, Bytes bytes, MemoryKind kind,
         std::int32_t from_step, std::int32_t to_step) {
  // Steps for now; those that are kept get levels at the end.
  live.rows.push_back({tensor, bytes, kind, from_step, to_step});
  ++live.count;
  live.bytes = saturating_add(live.bytes, bytes);
}

void add_buffers(const FaithfulStep& step, std::int32_t at, LiveRows& live) {
  std::vector<TensorId> listed;
  for (const StepBuffer& buffer : step.buffers) {
    if (buffer.space != Space::kDevice || buffer.bytes == 0) continue;
    if (buffer.is_pinned) listed.push_back(buffer.tensor);
    if (!buffer.is_pinned && (at < buffer.from_step || at > buffer.to_step)) continue;
    add(live, buffer.tensor, buffer.bytes, buffer.kind, buffer.from_step, buffer.to_step);
  }
  std::sort(listed.begin(), listed.end());
  // Variables and slots have no buffers; they are among what is alive at the peak.
  const auto last = static_cast<std::int32_t>(step.timeline.schedule.size()) - 1;
  for (const LiveTensor& tensor : step.timeline.alive_at_peak) {
    const bool resident =
        tensor.kind == MemoryKind::kVariable || tensor.kind == MemoryKind::kOptimizerSlot;
    if (!resident || tensor.from_step > 0 || tensor.to_step < last) continue;
    if (std::binary_search(listed.begin(), listed.end(), tensor.tensor)) continue;
    add(live, tensor.tensor, tensor.bytes, tensor.kind, tensor.from_step, tensor.to_step);
  }
}

}  // namespace

LiveRows live_at(const Scene& scene, const MemoryLayout& memory, double position,
                 std::size_t limit) {
  LiveRows live;
  if (!std::isfinite(position) || position < 0 || position >= memory.count) return live;
  live.step = memory.step_at[static_cast<std::size_t>(position)];
  if (live.step < 0) return live;
  const DeviceCurves& curves = scene.devices[memory.device];
  const MemoryTimeline& timeline = memory.has_after ? *curves.after : *curves.before;
  const FaithfulStep* step = memory.has_after ? curves.after_step : curves.before_step;
  if (step != nullptr) {
    add_buffers(*step, live.step, live);
  } else if (live.step == timeline.peak_step) {
    for (const LiveTensor& tensor : timeline.alive_at_peak) {
      add(live, tensor.tensor, tensor.bytes, tensor.kind, tensor.from_step, tensor.to_step);
    }
  }
  const auto kept =
      live.rows.begin() + static_cast<std::ptrdiff_t>(std::min(limit, live.rows.size()));
  std::partial_sort(live.rows.begin(), kept, live.rows.end(),
                    [](const LiveRow& a, const LiveRow& b) {
                      return std::tuple(-a.bytes, a.tensor) < std::tuple(-b.bytes, b.tensor);
                    });
  live.rows.erase(kept, live.rows.end());
  const StepLevels levels(scene, timeline);
  for (LiveRow& row : live.rows) {
    row.from_level = levels.at(row.from_level);
    row.to_level = levels.at(row.to_level);
  }
  return live;
}

}  // namespace tideline::render
