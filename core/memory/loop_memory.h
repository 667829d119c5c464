// A step with loops, simulated round by round and told as one round of each.
#pragma once

#include <optional>

#include "core/memory/faithful.h"

namespace tideline {

/// The memory of `graph`, a step as TensorFlow runs it with `rounds`: its ops are those of one
/// round of each loop, the one in which most is held, with the memory, the buffers and the order
/// that they have among all rounds. What belongs to other rounds is held (StepBuffer::is_held).
/// Nullopt where the rounds cannot be written (unrolled_step.h). Cost: that of simulating what is
/// written. Thread: pure.
[[nodiscard]] std::optional<FaithfulStep> simulate_loops(const StepGraph& graph);

}  // namespace tideline
