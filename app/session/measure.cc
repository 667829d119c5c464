// Tested by unit/session/measure_test.cc.
#include "app/session/measure.h"

#include <algorithm>

#include "core/memory/step_graph.h"

namespace tideline::session {

Result<MeasuredRunPtr> measure(const GraphFile& file, const events::TraceChoice& choice,
                               Progress& progress) {
  Diagnostics diagnostics;
  TIDELINE_TRY(events::OpenedTrace opened, events::open_trace(choice, diagnostics, progress));
  if (!progress.report("measuring a step", 0, 0)) return cancelled();
  auto run = measure_run(file.document.graph, std::move(opened.trace), std::move(diagnostics));
  if (!run) return tl::unexpected(with_context(std::move(run).error(), choice.path));
  run->path = choice.path;
  run->place = std::move(opened.place);
  return std::make_shared<const MeasuredRun>(*std::move(run));
}

Result<MeasuredRunPtr> measure_own(const GraphFile& file, Progress& progress) {
  const std::string& path = file.choice.path;
  if (file.document.run.empty() || !file.document.function.empty()) return MeasuredRunPtr();
  Diagnostics diagnostics;
  TIDELINE_TRY(const auto traces, events::list_traces(path, diagnostics, progress));
  const auto own = std::find_if(traces.begin(), traces.end(),
                                [&](const auto& trace) { return trace.run == file.document.run; });
  if (own == traces.end()) return MeasuredRunPtr();
  return measure(file, {path, own->run, {}}, progress);
}

Result<MeasuredRunPtr> compared(const GraphFile& file, const TensorTable& tensors,
                                const MeasuredRun& run) {
  StepOptions options;
  options.functions = &file.functions;
  const io::Document& document = file.document;
  TIDELINE_TRY(const StepGraph step,
               build_step_graph(document.graph, tensors, document.collections, options));
  auto made = std::make_shared<MeasuredRun>(run);
  made->levels.clear();
  compare(document.graph, step, &file.functions, file.levels, *made);
  return MeasuredRunPtr(std::move(made));
}

}  // namespace tideline::session
