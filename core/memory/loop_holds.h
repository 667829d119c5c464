// What loops keep in stacks and TensorArrays besides the values of one round.
#pragma once

#include <vector>

#include "core/analysis/structure/while_frames.h"
#include "core/graph/graph.h"
#include "core/graph/op_facts.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// A graph with its v1 loops.
struct LoopGraph {
  const Graph& graph;
  const OpFactsTable& facts;
  const WhileFrames& frames;
};

/// The values that ops of `loops` put into containers in earlier rounds, and the elements that ops
/// outside of loops put in for a loop to take. `step` has its tensors and loops, the rounds of
/// which are counted; of a loop with unknown rounds there is only the one that the step graph
/// shows. Cost: O(ops + edges). Thread: pure.
[[nodiscard]] std::vector<StepHold> find_loop_holds(const LoopGraph& loops, const StepGraph& step);

}  // namespace tideline
