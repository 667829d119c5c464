// What a graph leaves open, so that a simulation needs measured sizes: loops and unknown sizes.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// A loop, whose number of iterations is not in the graph.
struct UnmeasuredLoop {
  std::string name;  ///< the frame of a v1 loop, the scope before "while/", or the op of a call
  OpId first;        ///< its first op, in file order
  std::int64_t ops = 0;
};

struct Unmeasured {
  std::vector<UnmeasuredLoop> loops;  ///< by first op
  std::vector<TensorId> tensors;      ///< of unknown size, in file order
};

/// Loops of every kind, and the tensors whose size is a guess, of the ops that `of_step` says.
/// Errors: those of attributes. Cost: O(ops + tensors + edges of loops). Thread: pure.
[[nodiscard]] Result<Unmeasured> find_unmeasured(const Graph& graph, const TensorTable& tensors,
                                                 const std::vector<bool>& of_step);

}  // namespace tideline
