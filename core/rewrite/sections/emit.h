// A cut as changes of the graph.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph_plan.h"
#include "core/rewrite/sections/cut.h"
#include "core/rewrite/sections/report.h"

namespace tideline::sections {

struct EmittedSections {
  GraphPlan edit;
  SectionsReport report;
  std::vector<std::vector<ControlEdge>> control;  ///< by section: as order_phase
};

/// Adds for each section, the last one first, its placeholders, copies `phase_k/NAME` of the ops
/// that its run computes in file order, and a NoOp that runs its targets. The ops of the original
/// stay. The NoOps between ops of a run are added to `cut`. Errors: those of order_phase; kCorrupt
/// for attributes that cannot be decoded. Cost: O(copies), and order_phase.
[[nodiscard]] Result<EmittedSections> emit(const StepFacts& facts, const VariableUses& uses,
                                           Cut& cut, const std::vector<std::string>& labels);

}  // namespace tideline::sections
