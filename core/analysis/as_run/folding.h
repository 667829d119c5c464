// The ops that TensorFlow takes out of a graph before its first step.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/structure/conditionals.h"
#include "core/base/ids.h"
#include "core/graph/tensor_table.h"

namespace tideline {

class GraphFacts;

/// Why an op does not run, or not as it stands in the file.
enum class Fold : std::uint8_t {
  kConstant,  ///< its outputs are known before the step: they become constants
  kPassedOn,  ///< output 0 is its first input, which its readers read instead
  kMerged,    ///< an earlier op computes the same from the same inputs
};

struct FoldedOp {
  OpId op;
  Fold fold = Fold::kConstant;
  OpId twin;  ///< kMerged, and kConstant if there is one: an earlier op with the same outputs
};

/// The folded ops of a graph. They depend neither on the batch size nor on what is fetched.
struct Folding {
  std::vector<FoldedOp> ops;  ///< producers first
  bool is_done = false;       ///< the graph is folded already, down to who waits for whom
  std::vector<OpId> fed;      ///< placeholders
  /// Those whose predicates have the same value are one (decided_alike.h).
  std::vector<Conditional> conditionals;
  /// By op: copies of swaps, which have no say in which branch is the larger one. Empty: none.
  std::vector<bool> is_copy;
  /// What leaves a loop, and what goes round in it.
  struct LoopEnds {
    std::vector<OpId> exits, next_iterations;
  };
  std::vector<LoopEnds> loops;
  /// Of the graph, which must be there when a step is folded; null for none.
  const Graph* graph = nullptr;
};

/// What Grappler, TensorFlow's graph optimizer, folds. `tensors` says only how many outputs each op
/// has; shapes are inferred from what the file says, with an open batch as a symbol. The copies of
/// swaps are left alone. Cost: O(ops + edges), and that of infer_shapes. Thread: pure.
[[nodiscard]] Folding find_folding(const GraphFacts& facts, const TensorTable& tensors);

}  // namespace tideline
