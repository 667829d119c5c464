// The ops for which a copy back is worth making: those that a step as TensorFlow runs it has read.
#pragma once

#include <vector>

#include "core/memory/faithful.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/lms/search.h"
#include "core/rewrite/lms2/options.h"

namespace tideline::lms2 {

/// By op of the graph: whether the unedited step reads what is in its inputs. False for ops that do
/// not run, that have become constants or that only others wait for; true for those in whose place
/// another one is read. `before` is the simulation of `step`. Cost: O(ops). Thread: pure.
[[nodiscard]] std::vector<bool> step_readers(const StepGraph& step, const FaithfulStep& before);
/// The same of a graph and what it is run for. Errors: those of TensorTable::build and
/// build_step_graph. Cost: that of a simulation.
[[nodiscard]] Result<std::vector<bool>> step_readers(const Graph& graph,
                                                     const Collections& collections,
                                                     const Lms2Options& options,
                                                     const SearchModel& model);

}  // namespace tideline::lms2
