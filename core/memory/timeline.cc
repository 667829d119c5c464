#include "core/memory/timeline.h"

#include <algorithm>

namespace tideline {

std::string_view memory_kind_name(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kVariable: return "variables";
    case MemoryKind::kOptimizerSlot: return "optimizer_slots";
    case MemoryKind::kConstant: return "constants";
    case MemoryKind::kActivation: return "activations";
    case MemoryKind::kGradient: return "gradients";
    case MemoryKind::kTemporary: return "temporaries";
    case MemoryKind::kSwapped: return "swapped";
  }
  return "";
}

void finish_timeline(MemoryTimeline& timeline) {
  std::sort(timeline.alive_at_peak.begin(), timeline.alive_at_peak.end(),
            [](const LiveTensor& a, const LiveTensor& b) {
              if (a.bytes != b.bytes) return a.bytes > b.bytes;
              if (a.tensor != b.tensor) return a.tensor < b.tensor;
              return a.from_step < b.from_step;
            });
  timeline.peak_by_kind.assign(kMemoryKinds, 0);
  for (const LiveTensor& alive : timeline.alive_at_peak) {
    Bytes& sum = timeline.peak_by_kind[static_cast<std::size_t>(alive.kind)];
    sum = saturating_add(sum, alive.bytes);
  }
}

}  // namespace tideline
