#include "tests/support/same_step.h"

#include <fmt/format.h>

namespace tideline::test {

std::string difference(const MemoryTimeline& a, const MemoryTimeline& b) {
  if (a.schedule != b.schedule) return "schedule";
  if (a.level != b.level) return "level";
  for (std::size_t i = 0; i < a.device.size(); ++i) {
    if (a.device[i] != b.device[i]) {
      return fmt::format("device at step {}: {} and {}", i, a.device[i], b.device[i]);
    }
    if (a.host[i] != b.host[i]) {
      return fmt::format("host at step {}: {} and {}", i, a.host[i], b.host[i]);
    }
  }
  if (a.device_peak != b.device_peak || a.peak_step != b.peak_step) return "device peak";
  if (a.host_peak != b.host_peak) return "host peak";
  if (a.bytes_out != b.bytes_out || a.bytes_in != b.bytes_in) return "moved bytes";
  if (a.resident_bytes != b.resident_bytes) return "resident bytes";
  if (a.largest_need != b.largest_need) return "largest need";
  if (a.swapped_out_tensors != b.swapped_out_tensors || a.swap_ins != b.swap_ins) return "swaps";
  return "";
}

std::string unavailable(const StepGraph& graph, const FaithfulStep& step) {
  const auto& timeline = step.timeline;
  Bytes constants = 0;
  for (const StepBuffer& buffer : step.buffers) {
    if (buffer.is_pinned && buffer.space == Space::kDevice) constants += buffer.bytes;
  }
  Bytes variables = 0;
  for (const LiveTensor& variable : graph.variables) variables += variable.bytes;
  if (timeline.resident_bytes != constants + variables) return "resident bytes";
  for (std::size_t i = 0; i < timeline.schedule.size(); ++i) {
    const auto at = static_cast<std::int32_t>(i);
    const OpId op = timeline.schedule[i];
    for (const StepInput& input : graph.inputs_of(op)) {
      if (input.is_back_edge || input.space == Space::kElsewhere) continue;
      const std::uint32_t index =
          step.buffers_of[input.tensor][static_cast<std::size_t>(input.space)];
      if (index == kNoBuffer) return fmt::format("step {}: an input has no buffer", i);
      const StepBuffer& buffer = step.buffers[index];
      if (buffer.from_step > at || buffer.to_step < at) {
        return fmt::format("step {}: an input lies in a buffer of steps {} to {}", i,
                           buffer.from_step, buffer.to_step);
      }
    }
    Bytes live = timeline.resident_bytes;
    for (const StepBuffer& buffer : step.buffers) {
      if (buffer.space == Space::kDevice && !buffer.is_pinned && buffer.from_step <= at &&
          at <= buffer.to_step) {
        live += buffer.bytes;
      }
    }
    if (live != timeline.device[i]) return fmt::format("step {}: sum of buffers", i);
    if (live - timeline.resident_bytes > timeline.device_peak) return "peak";
  }
  return "";
}

}  // namespace tideline::test
