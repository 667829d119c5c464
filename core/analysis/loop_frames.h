// Which loop an op runs in.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.h"

namespace tideline {

/// TensorFlow runs the body of a v1 loop in a frame of its own: values come in through Enter and
/// leave through Exit, and no other edge, data or control, may cross. Frame 0 is outside of all
/// loops; other numbers only tell frames apart.
/// Cost: O(ops + edges), next to nothing without loops. Thread: immutable once built.
class LoopFrames {
 public:
  explicit LoopFrames(const Graph& graph);

  /// Where the inputs of `op` come from, and where its outputs and what waits for it are.
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
