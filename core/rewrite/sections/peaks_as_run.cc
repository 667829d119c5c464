// CycleMemory simulates a run without making its graph; what TensorFlow folds is known of a graph
// only. So the graph of the cycle is made and looked at afresh, once for a plan. Tested by
// unit/rewrite/sections_memory_test.cc: equal to simulating the written graph.
#include "core/rewrite/sections/peaks_as_run.h"

#include <span>

#include "core/graph/fed_shapes.h"
#include "core/graph/graph_edit.h"
#include "core/memory/folded_step.h"
#include "core/rewrite/sections/cycle_memory.h"
#include "core/rewrite/sections/report_json.h"

namespace tideline::sections {

Status find_peaks_as_run(const GraphFacts& known, const Collections& collections,
                         const TensorOptions& sizes, StepOptions step, const GraphPlan& edit,
                         SectionsReport& report) {
  TensorOptions faithful = sizes;
  faithful.model = SizeModel::kFaithful;
  TIDELINE_TRY(const TensorTable original, TensorTable::build(known.graph(), faithful));
  step.measured = nullptr;  // scratch memory and order are known by the ids of the original
  step.facts = &known;
  TIDELINE_TRY(const StepGraph plain, build_step_graph(known.graph(), original, collections, step));
  report.plain = peak_of_run(plain);
  const auto cycle = SectionsPlanReport(report).cycle(known.graph(), edit);
  if (!cycle) return {};
  TIDELINE_TRY(const Graph written, apply(known.graph(), edit));
  for (GivenShape& fed : fed_shapes(known.graph(), original, *cycle)) {
    faithful.shapes.push_back(std::move(fed));
  }
  TIDELINE_TRY(const TensorTable tensors, TensorTable::build(written, faithful));
  const GraphFacts facts(written, sizes.functions);
  step.facts = &facts;
  step.fetches = cycle->fetches_of(cycle->runs.front());
  TIDELINE_TRY(const StepGraph first, build_step_graph(written, tensors, collections, step));
  std::vector<RunPeak> peaks;
  const auto add_run = [&](const StepGraph& graph) {
    peaks.push_back(peak_of_run(graph, &report.run_memory.emplace_back()));
  };
  add_run(first);
  for (const CycleRun& run : std::span(cycle->runs).subspan(1)) {
    TIDELINE_TRY(const StepGraph graph,
                 with_fetches(first, written, collections, cycle->fetches_of(run)));
    add_run(graph);
  }
  report.forward = peaks.front();
  for (std::size_t k = 0; k < report.phases.size(); ++k) report.phases[k].peak = peaks[k + 1];
  return {};
}

}  // namespace tideline::sections
