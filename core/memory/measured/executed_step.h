// A traced step as a graph of executions, the input of the faithful model for a comparison.
#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/op_facts.h"
#include "core/graph/step_trace.h"
#include "core/memory/measured/measured_step.h"
#include "core/memory/step_graph.h"
#include "core/memory/step_schedule.h"

namespace tideline {

/// One op for each execution on one device that names an op of the graph, in measured order; the
/// ops of a loop body occur once per iteration. Each reads the outputs of earlier executions. What
/// existed before the step (variables, constants, fed values) takes no memory. Sizes are measured;
/// buffer sharing and lifetimes are left to the model.
struct ExecutedStep {
  static constexpr std::uint32_t kNone = 0xffffffffU;

  StepGraph graph;        ///< op 0: what existed before the step; the last op: its end
  StepSchedule schedule;  ///< measured order
  /// By op of `graph`: index of MeasuredStep::executions; kNone for the first and last op.
  std::vector<std::uint32_t> execution_of;
  std::vector<std::uint32_t> op_at;  ///< by execution: op of `graph`, or kNone
};

/// Builds the graph. `step` is of the whole graph. Inputs of ops that did not run (fused or folded)
/// are read by the consumers of those ops. Values in stacks and TensorArrays live until they are
/// taken out, fetched values until the end. Cost: O(executions x inputs). Thread: pure.
[[nodiscard]] ExecutedStep executed_step(const Graph& graph, const StepGraph& step,
                                         const OpFactsTable& facts, const StepTrace& trace,
                                         const MeasuredStep& measured);

}  // namespace tideline
