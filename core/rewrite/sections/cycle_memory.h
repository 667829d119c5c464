// The memory of the runs of a cycle, by the faithful model.
#pragma once

#include <vector>

#include "core/graph/graph_plan.h"
#include "core/memory/step_graph.h"
#include "core/rewrite/sections/cut.h"
#include "core/rewrite/sections/report.h"

namespace tideline::sections {

/// Of a run, simulated. `device`, unless it is null, gets the bytes on the device by step.
[[nodiscard]] RunPeak peak_of_run(const StepGraph& graph, std::vector<Bytes>* device = nullptr);

/// Simulates runs of a cut from the step graph of the original, without making the graph of the
/// cycle. As in every simulation, a value that is fetched is freed on the device after its last
/// reader there: fetching copies it to the host. Facts and step graph must outlive it. Thread:
/// immutable.
class CycleMemory {
 public:
  CycleMemory(const StepFacts& facts, const StepGraph& step) : facts_(facts), step_(step) {}

  [[nodiscard]] RunPeak plain() const;
  [[nodiscard]] RunPeak forward(const Cut& cut) const;
  /// `control` are the control edges of the run (order_phase). Cost: O(ops of the original + edges
  /// of the run).
  [[nodiscard]] RunPeak phase(const PhaseCut& phase, const std::vector<ControlEdge>& control) const;
  /// Bytes of kept values that are on the host at once, at most.
  [[nodiscard]] Bytes kept_bytes(const Cut& cut) const;

 private:
  const StepFacts& facts_;
  const StepGraph& step_;
};

}  // namespace tideline::sections
