// The measured peaks of the runs of a cycle.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/graph/cycle.h"
#include "core/graph/graph.h"

namespace tideline::cli {

/// The most that one run had allocated at once on its first device, by its allocation records:
/// without what was resident before it.
struct MeasuredRunPeak {
  std::string run;
  Bytes peak = 0;
  /// The same without the scratch memory of the op at hand. That depends on the machine (kernels
  /// for convolutions on a CPU use as much as the cache holds), and no graph changes it.
  Bytes of_tensors = 0;
};

/// The peak of one traced run, of which `run` is the name. Errors: those of read_run_metadata and
/// measure_run.
[[nodiscard]] Result<MeasuredRunPeak> measured_peak(const Graph& graph, const std::string& run,
                                                    const std::string& run_metadata);

/// By run of the cycle. A run without a record of an op has a peak of 0.
[[nodiscard]] Result<std::vector<MeasuredRunPeak>> measured_run_peaks(
    const Graph& graph, const Cycle& cycle, const std::vector<std::string>& run_metadata);

void print_run_peaks(const std::vector<MeasuredRunPeak>& peaks);
[[nodiscard]] nlohmann::ordered_json run_peaks_json(const std::vector<MeasuredRunPeak>& peaks);

}  // namespace tideline::cli
