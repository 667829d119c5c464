// Tested by integration/sections_test.py.
#include "app/cli/run_peaks.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/engine/say.h"
#include "core/events/run_metadata.h"
#include "core/memory/measured/measured_run.h"

namespace tideline::cli {

using app::say;

Result<MeasuredRunPeak> measured_peak(const Graph& graph, const std::string& run,
                                      const std::string& run_metadata) {
  Diagnostics diagnostics;
  TIDELINE_TRY(StepTrace trace, events::read_run_metadata(own_bytes(run_metadata), diagnostics));
  TIDELINE_TRY(const MeasuredRun measured,
               measure_run(graph, std::move(trace), std::move(diagnostics)));
  const MeasuredStep& step = measured.step();
  MeasuredRunPeak peak{run, step.peak, 0};
  for (std::size_t i = 0; i < step.live.size(); ++i) {
    peak.of_tensors = std::max(peak.of_tensors, step.live[i] - step.scratch[i]);
  }
  return peak;
}

Result<std::vector<MeasuredRunPeak>> measured_run_peaks(
    const Graph& graph, const Cycle& cycle, const std::vector<std::string>& run_metadata) {
  std::vector<MeasuredRunPeak> peaks;
  for (std::size_t i = 0; i < cycle.runs.size() && i < run_metadata.size(); ++i) {
    const std::string& name = cycle.runs[i].name;
    auto peak = measured_peak(graph, name, run_metadata[i]);
    // A section without ops of its own executes nothing that is recorded.
    const bool is_empty = !peak && (peak.error().code == Code::kNotFound ||
                                    peak.error().code == Code::kInvalidArgument);
    if (!peak && !is_empty) {
      return tl::unexpected(with_context(std::move(peak).error(), "trace of the run " + name));
    }
    peaks.push_back(is_empty ? MeasuredRunPeak{name} : *std::move(peak));
  }
  return peaks;
}

void print_run_peaks(const std::vector<MeasuredRunPeak>& peaks) {
  for (const MeasuredRunPeak& peak : peaks) {
    say("measured peak of the run {}: {} without what is resident, {} of it tensors\n", peak.run,
        format_bytes(peak.peak), format_bytes(peak.of_tensors));
  }
}

nlohmann::ordered_json run_peaks_json(const std::vector<MeasuredRunPeak>& peaks) {
  auto json = nlohmann::ordered_json::array();
  for (const MeasuredRunPeak& peak : peaks) {
    json.push_back({{"run", peak.run},
                    {"measured_peak_bytes", peak.peak},
                    {"measured_tensors_bytes", peak.of_tensors}});
  }
  return json;
}

}  // namespace tideline::cli
