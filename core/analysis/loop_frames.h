// The frame of a v1 loop that each op runs in.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// TensorFlow runs the body of a v1 loop in a frame of its own: values enter through Enter and
/// leave through Exit, and no other data or control edge may cross. Frame 0 is outside all loops;
/// other numbers are arbitrary but distinct.
/// Cost: O(ops + edges) to build, one pass over the types without loops. Thread: immutable.
class LoopFrames {
 public:
  explicit LoopFrames(const Graph& graph);

  /// The frame that the inputs of `op` come from, and the frame of its outputs and waiting ops.
  [[nodiscard]] std::uint32_t input_frame(OpId op) const {
    return frames_.empty() ? 0 : frames_[2 * op.index()];
  }
  [[nodiscard]] std::uint32_t output_frame(OpId op) const {
    return frames_.empty() ? 0 : frames_[2 * op.index() + 1];
  }

 private:
  std::vector<std::uint32_t> frames_;  // two an op; empty without loops
};

}  // namespace tideline
