// Graphs as TensorFlow's graph optimizer makes them, for `optimize` and steps as TensorFlow runs
// them exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/sized_graph.h"
#include "core/memory/device_profile.h"
#include "core/memory/run_model.h"
#include "core/runtime/optimize.h"

namespace tideline::app {

/// What TensorFlow is asked for. `fetches` as in find_fetches. There are as many GPUs as the graph
/// names, and one at least if the executor is a GPU's, each with the figures of `profile`. Errors:
/// kNotFound for a name that is no op; kInvalidArgument when nothing says what a step is for.
[[nodiscard]] Result<runtime::OptimizeRequest> optimize_request(
    const io::Document& document, const std::vector<std::string>& fetches, Executor executor,
    const std::optional<DeviceProfile>& profile, io::Format format = io::Format::kGraph);

/// What has become of the ops of a graph, by name.
struct OptimizedOps {
  std::int64_t same = 0;
  std::int64_t other_inputs = 0;
  std::int64_t constants = 0;   ///< of another type before
  std::int64_t other_type = 0;  ///< fused with others, mostly
  std::int64_t added = 0;
  std::int64_t not_needed = 0;  ///< left out, as the step does without them anyway
  std::int64_t left_out = 0;    ///< that the step needed
};
/// `needed`: by op of `before`. Cost: O(ops + edges).
[[nodiscard]] OptimizedOps compare_ops(const Graph& before, const std::vector<bool>& needed,
                                       const Graph& after);

/// Makes `opened` the graph that TensorFlow's optimizer makes of it, for a step that is run exactly
/// so; `fetches` become names of ops. Sizes given for tensors that are gone have no effect.
/// `python`: of find_tensorflow_python. Errors: those of optimize_request and optimize;
/// kUnsupported for a cycle of runs. Precondition: there is no traced step.
[[nodiscard]] Status run_exactly(SizedGraph& opened, std::vector<std::string>& fetches,
                                 const std::optional<DeviceProfile>& profile,
                                 const std::string& python, Progress& progress);

}  // namespace tideline::app
