// Steps that TensorFlow runs exactly, of graphs that are planned on a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/engine/optimize.h"
#include "app/engine/snapshot.h"
#include "render/model/exact_peaks.h"

namespace tideline::app {

/// Which step, and where it is looked at.
struct ExactRequest {
  std::vector<std::string> fetches = {};
  /// As StepOptions::gpu_device; at least one.
  std::vector<std::optional<std::string>> devices = {std::nullopt};
  std::optional<DeviceProfile> profile = {};  ///< nullopt: pcie3, and any GPU
  std::optional<Bytes> budget = {};           ///< in which swaps wait for memory
};
struct ExactStep {
  std::string tensorflow;            ///< the version
  std::vector<ui::ExactPeak> peaks;  ///< by device of the request
};

/// The step of `graph`, whose executor counts and nothing else of its run model, on the graph that
/// the optimizer makes of it. Errors: those of run_exactly and simulate_device; kUnsupported with a
/// traced step, which is of the ops that ran then.
[[nodiscard]] Result<ExactStep> exact_step(SizedGraph graph, const ExactRequest& request,
                                           const AskOptimizer& ask, Progress& progress);

/// The steps of a snapshot, of its graph and of the graph that its plan gives. Where the plan makes
/// several runs of a step only the first is known, and `problem` says so. Errors: as above.
[[nodiscard]] Result<ui::ExactPeaks> exact_peaks(const Snapshot& snapshot, const AskOptimizer& ask,
                                                 Progress& progress);

}  // namespace tideline::app
