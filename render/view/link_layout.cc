// Tested by tests/unit/view/link_layout_test.cc.
#include "render/view/link_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/memory/level_memory.h"

namespace tideline::render {
namespace {

// When the step reaches each level, and when it ends.
class LevelClock {
 public:
  LevelClock(const Scene& scene, const MemoryTimeline& steps, const StepTime& time) {
    std::vector<std::int32_t> levels;
    std::int32_t last = 0;
    levels.reserve(steps.schedule.size());
    for (const OpId op : steps.schedule) {
      if (op.value < scene.graph->op_count()) last = std::max(0, scene.levels->level(op));
      levels.push_back(last);
    }
    const std::vector<std::int32_t> reached = rising_levels(levels, steps.device);
    const auto count = static_cast<std::size_t>(std::max(0, scene.levels->count()));
    begins_.assign(count + 1, -1);
    double now = 0;
    double end = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const OpId op = steps.schedule[i];
      if (op.index() >= time.ops.size()) continue;
      const OpTime& ran = time.ops[op.index()];
      if (ran.end_ns <= ran.begin_ns) continue;  // on the host, or without a kernel
      now = std::max(now, ran.begin_ns);
      end = std::max(end, ran.end_ns);
      const auto level = static_cast<std::size_t>(reached[i]);
      if (level < count && begins_[level] < 0) begins_[level] = now;
    }
    begins_[count] = end;
    // A level without a kernel begins with the one after it.
    for (std::size_t level = count; level-- > 0;) {
      if (begins_[level] < 0) begins_[level] = begins_[level + 1];
    }
  }

  [[nodiscard]] double level_at(double ns) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), ns);
    if (after == begins_.begin()) return 0;
    if (after == begins_.end()) return static_cast<double>(begins_.size() - 1);
    const double from = *std::prev(after);
    const auto level = static_cast<double>(after - begins_.begin() - 1);
    return *after > from ? level + (ns - from) / (*after - from) : level;
  }

 private:
  std::vector<double> begins_;  // by level; the last is the end of the step
};

// By op of a copy: the tensor of the graph that it brings back.
std::map<OpId, TensorId> originals(const Scene& scene) {
  std::map<OpId, TensorId> of;
  if (scene.plan != nullptr) {
    for (const PlannedSwap& swap : scene.plan->swaps()) {
      for (const PlannedSwapIn& swap_in : swap.swap_ins) of[swap_in.copy] = swap.tensor;
    }
  }
  if (scene.copies != nullptr) {
    for (const FileSwap& swap : scene.copies->swaps) {
      for (const FileSwapIn& swap_in : swap.swap_ins) of[swap_in.copy] = swap.tensor;
    }
  }
  return of;
}

}  // namespace

LinkLayout layout_link(const Scene& scene, std::size_t device) {
  LinkLayout layout;
  if (device >= scene.devices.size()) return layout;
  const DeviceCurves& curves = scene.devices[device];
  if (curves.timing == nullptr || curves.timing->after.copies.empty()) return layout;
  const MemoryTimeline* steps = curves.after != nullptr ? curves.after : curves.before;
  if (steps == nullptr) return layout;
  const StepTime& time = curves.timing->after;
  const LevelClock clock(scene, *steps, time);
  const std::map<OpId, TensorId> original = originals(scene);
  const auto in_graph = [&](TensorId tensor) {
    const auto found = original.find(tensor.op);
    return found == original.end() ? tensor : found->second;
  };
  for (const CopyTime& copy : time.copies) {
    LinkSlice slice = {in_graph(copy.tensor), copy.bytes, copy.to_host, copy.begin_ns, copy.end_ns};
    slice.begin_level = clock.level_at(copy.begin_ns);
    slice.end_level = clock.level_at(copy.end_ns);
    (copy.to_host ? layout.to_host : layout.to_device).push_back(slice);
  }
  const auto add_stall = [&](OpId reader, TensorId tensor, std::int64_t wait_ns, double until) {
    LinkStall stall = {reader, tensor, until - static_cast<double>(wait_ns), until};
    stall.begin_level = clock.level_at(stall.begin_ns);
    stall.end_level = clock.level_at(until);
    layout.stalls.push_back(stall);
  };
  for (std::size_t i = 0; i < time.late.size(); ++i) {
    const LateSwapIn& late = time.late[i];
    if (late.reader.index() >= time.ops.size()) continue;
    // Of one reader each waits on from where the one before has ended.
    double until = time.ops[late.reader.index()].begin_ns;
    for (std::size_t k = i + 1; k < time.late.size() && time.late[k].reader == late.reader; ++k) {
      until -= static_cast<double>(time.late[k].wait_ns);
    }
    for (const MemoryWait& wait : time.memory_waits) {
      if (wait.op == late.reader) until -= static_cast<double>(wait.wait_ns);
    }
    add_stall(late.reader, in_graph(late.tensor), late.wait_ns, until);
  }
  for (const MemoryWait& wait : time.memory_waits) {
    if (wait.op.index() >= time.ops.size()) continue;
    add_stall(wait.op, {}, wait.wait_ns, time.ops[wait.op.index()].begin_ns);
  }
  std::stable_sort(layout.stalls.begin(), layout.stalls.end(),
                   [](const LinkStall& a, const LinkStall& b) { return a.begin_ns < b.begin_ns; });
  layout.compute_ns = time.compute_ns;
  layout.waiting_ns = time.added_ns;
  layout.to_host_ns = time.to_host_ns;
  layout.to_device_ns = time.to_device_ns;
  return layout;
}

std::string rate_text(const LinkSlice& slice) {
  const double ns = slice.end_ns - slice.begin_ns;
  if (!(ns > 0)) return "at once";
  return fmt::format("{:.1f} GB/s", static_cast<double>(slice.bytes) / ns);
}

}  // namespace tideline::render
