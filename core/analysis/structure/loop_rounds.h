// How often the loops of a step run, as far as that is known.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/structure/while_frames.h"
#include "core/base/error.h"
#include "core/graph/loop_count.h"
#include "core/graph/tensor_table.h"

namespace tideline {

/// The rounds of every loop of `frames`, by frame: measured in the traced step, given by the user,
/// or computed from the loop's condition; a backward loop runs as often as its forward loop.
/// `tensors` is of the faithful model. The rounds of an inner loop are multiplied by the rounds of
/// the loops around it. Behind the frames: the loops that are called, as in
/// TensorTable::called_loops. Errors: kNotFound for given rounds of a loop that does not exist; the
/// message lists the loops. Cost: O(loops x (given rounds + ops of a condition)). Thread: pure.
[[nodiscard]] Result<std::vector<LoopCount>> count_loops(const Graph& graph,
                                                         const OpFactsTable& facts,
                                                         const WhileFrames& frames,
                                                         const TensorTable& tensors);

}  // namespace tideline
