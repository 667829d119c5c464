// Tested by unit/engine/measure_test.cc.
#include "app/engine/measure.h"

#include <algorithm>

#include "app/engine/step_log.h"
#include "core/memory/measured/task_clocks.h"
#include "core/memory/step_graph.h"

namespace tideline::app {

// What was simulated for `--tb` is no measurement. Of a run that was begun again the later one of
// two steps with one tag is what a choice by their names gives.
static std::vector<TracedStep> choices_of(std::vector<TracedStep> steps, const TracedStep& chosen) {
  std::vector<TracedStep> choices;
  for (TracedStep& step : steps) {
    if (step.tag == kSimulatedTag && step != chosen) continue;
    std::erase_if(choices, [&](const TracedStep& before) {
      return before.run == step.run && before.tag == step.tag;
    });
    choices.push_back(std::move(step));
  }
  return choices;
}

Result<MeasuredRunPtr> measure(const ReadGraph& source, const events::TraceChoice& choice,
                               Progress& progress) {
  Diagnostics diagnostics;
  TIDELINE_TRY(events::OpenedTrace opened, events::open_trace(choice, diagnostics, progress));
  if (!progress.report("measuring a step", 0, 0)) return cancelled();
  return measure(source, std::move(opened), choice.path, std::move(diagnostics));
}

Result<MeasuredRunPtr> measure(const ReadGraph& source, events::OpenedTrace trace,
                               const std::string& path, Diagnostics noticed) {
  put_on_one_clock(trace.trace, noticed);
  auto run = measure_run(source.document.graph, std::move(trace.trace), std::move(noticed));
  if (!run) return tl::unexpected(with_context(std::move(run).error(), path));
  run->path = path;
  run->place = std::move(trace.place);
  run->chosen = std::move(trace.chosen);
  run->choices = choices_of(std::move(trace.others), run->chosen);
  return std::make_shared<const MeasuredRun>(*std::move(run));
}

Result<MeasuredRunPtr> measure_again(const ReadGraph& source, const MeasuredRun& run) {
  auto again = measure(source, {run.trace, run.place, run.chosen, run.choices}, run.path, {});
  if (!again && again.error().code == Code::kInvalidArgument) return MeasuredRunPtr();
  return again;
}

Result<MeasuredRunPtr> measure_own(const ReadGraph& source, Progress& progress) {
  const std::string& path = source.choice.path;
  const io::Document& document = source.document;
  if (document.run.empty() || !document.function.empty()) return MeasuredRunPtr();
  Diagnostics diagnostics;
  TIDELINE_TRY(const auto traces, events::list_traces(path, diagnostics, progress));
  // A step that was simulated for `--tb` is no measurement, and its sizes may be assumed.
  const auto own = std::find_if(traces.begin(), traces.end(), [&](const auto& trace) {
    return trace.run == document.run && trace.tag != kSimulatedTag;
  });
  if (own == traces.end()) return MeasuredRunPtr();
  return measure(source, {path, own->run, {}}, progress);
}

Result<MeasuredRunPtr> compared(const ReadGraph& source, const LevelMap& levels,
                                const TensorTable& tensors, const StepOptions& step,
                                const MeasuredRun& run) {
  const io::Document& document = source.document;
  TIDELINE_TRY(const StepGraph graph,
               build_step_graph(document.graph, tensors, document.collections, step));
  auto made = std::make_shared<MeasuredRun>(run);
  compare(document.graph, graph, step.functions, levels, *made);
  return MeasuredRunPtr(std::move(made));
}

}  // namespace tideline::app
