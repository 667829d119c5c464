// The faithful model: the memory of a step as a real executor allocates it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/memory/step_graph.h"
#include "core/memory/step_schedule.h"
#include "core/memory/timeline.h"

namespace tideline {

/// A buffer allocated during the step.
struct StepBuffer {
  TensorId tensor;  ///< the first one stored in it
  Bytes bytes = 0;
  Space space = Space::kDevice;
  MemoryKind kind = MemoryKind::kTemporary;
  OpId last_reader;
  std::int32_t from_step = 0;
  std::int32_t to_step = -1;
  bool is_pinned = false;
  bool is_copy = false;     ///< a copy of a tensor of another space
  bool is_kept = false;     ///< to the end of the step, by whoever feeds or fetches it
  bool is_held = false;     ///< of a StepHold
  std::int64_t values = 1;  ///< more than 1: values of other rounds of a loop (StepHold)
  bool is_swapped = false;  ///< belongs to a swap: the host copy that was read back, or its copy
                            ///< on the device
};

/// A copy between host and device that belongs to a swap.
struct StepTransfer {
  std::uint32_t tensor = 0;  ///< the tensor copied, an index of StepGraph::tensors
  OpId after;                ///< its producer; the copy begins when that has run
  Bytes bytes = 0;
  bool to_host = false;
};

inline constexpr std::uint32_t kNoBuffer = 0xffffffffU;

/// The result of a simulation.
struct FaithfulStep {
  MemoryTimeline timeline;
  std::vector<StepBuffer> buffers;  ///< in the order in which they were allocated
  /// By tensor: its buffers on the device and on the host; kNoBuffer where it has none.
  std::vector<std::array<std::uint32_t, 2>> buffers_of;
  /// By tensor: written over an input that nobody reads any more. Not for aliases.
  std::vector<bool> is_in_place;
  std::vector<StepTransfer> transfers;  ///< of swaps, in the order of the steps
};

/// What a simulation tells of the peak besides its bytes.
enum class StepDetail : std::uint8_t {
  kAll,
  kBytes,  ///< no alive_at_peak and peak_by_kind, which a search has no use for
};

/// Simulates one run of the ancestors of the fetches, by complete level, then file order. Outputs
/// are allocated before their op runs and freed after their last reader, or share the buffer of an
/// input. A tensor read in another space is copied right after its producer, and the copy is freed
/// after its last reader there. Host memory counts only copies of device tensors that are read
/// back. What loops keep in containers (StepGraph::holds) has buffers of its own. Units: bytes.
/// Cost: O(ops + edges). Thread: pure.
[[nodiscard]] FaithfulStep simulate_step(const StepGraph& graph,
                                         StepDetail detail = StepDetail::kAll);
/// The same in the given order. Precondition: `schedule` is in topological order.
[[nodiscard]] FaithfulStep simulate_step(const StepGraph& graph, StepSchedule schedule,
                                         StepDetail detail = StepDetail::kAll);

/// Sets timeline.alive_at_peak of `step`, which is of `graph`, from the buffers that are there at
/// the step of the peak, unsorted. Cost: O(buffers).
void set_alive_at_peak(const StepGraph& graph, FaithfulStep& step);

}  // namespace tideline
