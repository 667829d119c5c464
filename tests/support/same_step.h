// Whether two simulated steps are the same, and whether a step makes sense by itself.
#pragma once

#include <string>

#include "core/memory/faithful.h"

namespace tideline::test {

/// What differs first; empty when schedules, curves, peaks and moved bytes are equal.
[[nodiscard]] std::string difference(const MemoryTimeline& a, const MemoryTimeline& b);
/// The first input that was not there when its op ran; empty when all were. Also checks that sums
/// of buffers are the curves.
[[nodiscard]] std::string unavailable(const StepGraph& graph, const FaithfulStep& step);

}  // namespace tideline::test
