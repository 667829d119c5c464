// The faithful model: what a step needs on a real executor.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/memory/step_graph.h"
#include "core/memory/step_schedule.h"
#include "core/memory/timeline.h"

namespace tideline {

/// A buffer of the step.
struct StepBuffer {
  TensorId tensor;  ///< the first that lay in it
  Bytes bytes = 0;
  Space space = Space::kDevice;
  MemoryKind kind = MemoryKind::kTemporary;
  OpId last_reader;
  std::int32_t from_step = 0;
  std::int32_t to_step = -1;
  bool is_pinned = false;
  bool is_copy = false;     ///< made by moving a tensor between spaces
  bool is_swapped = false;  ///< of a copy on the host: it came back; on the device: it came back
};

/// A copy between host and device that belongs to a swap.
struct StepTransfer {
  std::uint32_t tensor = 0;  ///< that moves, an index of StepGraph::tensors
  OpId after;                ///< its op: the copy begins when that has run
  Bytes bytes = 0;
  bool to_host = false;
};

inline constexpr std::uint32_t kNoBuffer = 0xffffffffU;

struct FaithfulStep {
  MemoryTimeline timeline;
  std::vector<StepBuffer> buffers;  ///< in the order in which they were allocated
  /// By tensor: its buffer on the device and on the host; kNoBuffer where it never was.
  std::vector<std::array<std::uint32_t, 2>> buffers_of;
  std::vector<StepTransfer> transfers;  ///< of swaps, in the order of the steps
};

/// Runs the ancestors of the fetches once, by complete level, then file order.
/// Outputs are allocated before their op and freed after their last reader, or lie in the buffer of
/// an input; a tensor that is read in another space is copied right after its op and the copy is
/// freed after its last reader there. Host memory counts copies of device tensors that come back.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] FaithfulStep simulate_step(const StepGraph& graph);
/// The same in another order. Precondition: every op stands behind those that it reads.
[[nodiscard]] FaithfulStep simulate_step(const StepGraph& graph, StepSchedule schedule);

}  // namespace tideline
