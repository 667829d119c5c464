// The step that was traced as a graph of executions, for the faithful model to run.
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

/// One op for each execution on one device that names an op of the graph, in measured order; a
/// loop's body stands there once a round. It reads what the executions before it gave out. What was
/// there before the step (variables, constants, what was fed) takes no memory. Sizes are the
/// measured ones; everything else (who shares a buffer, what is freed when) is the model's.
struct ExecutedStep {
  static constexpr std::uint32_t kNone = 0xffffffffU;

  StepGraph graph;        ///< op 0: what was there before; the last one: the end of the step
  StepSchedule schedule;  ///< measured order
  /// By op of `graph`: index of MeasuredStep::executions; kNone for the two at the ends.
  std::vector<std::uint32_t> execution_of;
  std::vector<std::uint32_t> op_at;  ///< by execution: op of `graph`, or kNone
};

/// `step` is of the whole graph. Inputs of ops that did not run (they were fused or folded) are
/// read by those who read these. What goes into a stack or a TensorArray stays until it comes out;
/// what is fetched, until the end. Cost: O(executions * inputs). Thread: pure.
[[nodiscard]] ExecutedStep executed_step(const Graph& graph, const StepGraph& step,
                                         const OpFactsTable& facts, const StepTrace& trace,
                                         const MeasuredStep& measured);

}  // namespace tideline
