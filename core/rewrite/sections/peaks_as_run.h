// The memory of the runs of a cycle as TensorFlow runs them.
#pragma once

#include "core/analysis/structure/graph_facts.h"
#include "core/graph/collections.h"
#include "core/graph/graph_plan.h"
#include "core/graph/tensor_options.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/sections/report.h"

namespace tideline::sections {

/// Sets the peaks and run_memory of `report`: of the original, which is run as `step` says, and of
/// each run of the graph that `edit` gives. Errors: those of apply, TensorTable::build and
/// build_step_graph. Cost: that of opening the graph, and of a step graph for each run.
[[nodiscard]] Status find_peaks_as_run(const GraphFacts& known, const Collections& collections,
                                       const TensorOptions& sizes, StepOptions step,
                                       const GraphPlan& edit, SectionsReport& report);

}  // namespace tideline::sections
