// What became of a tensor in a step as TensorFlow runs it, in words.
#pragma once

#include <string>

#include "core/memory/step_graph.h"

namespace tideline {

/// "it does not exist in the step that TensorFlow runs: its value is known before the step", "...:
/// it is its input a:0", "...: it is the same as b:0", "...: it is of the branch of cond for false,
/// which is not taken". Empty for a tensor that the step makes as in the file, and for all of a
/// step as in the file. `runs`: whether the step runs the op of
/// `tensor`, which is one of `graph`. Cost: O(folded ops). Thread: pure.
[[nodiscard]] std::string fold_text(const Graph& graph, const StepGraph& step, TensorId tensor,
                                    bool runs);

}  // namespace tideline
