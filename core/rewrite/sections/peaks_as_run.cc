// CycleMemory simulates a run without making its graph; what TensorFlow folds is known of a graph
// only. So the graph of the cycle is made and looked at afresh, once for a plan. Tested by
// unit/rewrite/sections_memory_test.cc: equal to simulating the written graph.
#include "core/rewrite/sections/peaks_as_run.h"

#include "core/graph/fed_shapes.h"
#include "core/graph/graph_edit.h"
#include "core/memory/faithful.h"
#include "core/rewrite/sections/report_json.h"

namespace tideline::sections {
namespace {

Result<RunPeak> peak_of(const GraphFacts& facts, const TensorTable& tensors,
                        const Collections& collections, StepOptions& step,
                        std::vector<std::string> fetches) {
  step.facts = &facts;
  step.fetches = std::move(fetches);
  TIDELINE_TRY(const StepGraph graph, build_step_graph(facts.graph(), tensors, collections, step));
  const MemoryTimeline timeline = simulate_step(graph).timeline;
  return RunPeak{timeline.device_peak, timeline.resident_bytes};
}

}  // namespace

Status find_peaks_as_run(const GraphFacts& known, const Collections& collections,
                         const TensorOptions& sizes, StepOptions step, const GraphPlan& edit,
                         SectionsReport& report) {
  TensorOptions faithful = sizes;
  faithful.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable original, TensorTable::build(known.graph(), faithful));
  TIDELINE_TRY(report.plain, peak_of(known, original, collections, step, step.fetches));
  const auto cycle = SectionsPlanReport(report).cycle(known.graph(), edit);
  if (!cycle) return {};
  TIDELINE_TRY(const Graph written, apply(known.graph(), edit));
  for (GivenShape& fed : fed_shapes(known.graph(), original, *cycle)) {
    faithful.shapes.push_back(std::move(fed));
  }
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(written, faithful));
  const GraphFacts facts(written, sizes.functions);
  step.measured = nullptr;  // scratch memory is known by the ids of the original
  std::vector<RunPeak> peaks;
  for (const CycleRun& run : cycle->runs) {
    TIDELINE_TRY(const RunPeak peak,
                 peak_of(facts, tensors, collections, step, cycle->fetches_of(run)));
    peaks.push_back(peak);
  }
  report.forward = peaks.front();
  for (std::size_t k = 0; k < report.phases.size(); ++k) report.phases[k].peak = peaks[k + 1];
  return {};
}

}  // namespace tideline::sections
