// Graphs as TensorFlow's graph optimizer makes them, for `optimize` and steps as TensorFlow runs
// them exactly.
#pragma once

#include <cstdint>
#include <functional>
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

/// What TensorFlow's optimizer made of a graph.
struct OptimizedGraph {
  ReadGraphPtr source;
  std::string tensorflow;  ///< the version
};
/// Whoever is asked for it. Errors: those of runtime::optimize.
using AskOptimizer = std::function<Result<OptimizedGraph>(
    const ReadGraphPtr& graph, const runtime::OptimizeRequest& request, Progress& progress)>;

/// The TensorFlow of an interpreter (find_tensorflow_python).
[[nodiscard]] AskOptimizer optimizer_of(std::string python);
/// That of the installed TensorFlow, looked for with each question. One at a time is started in
/// this process, as each needs about 1 GiB. Errors: also those of find_tensorflow_python.
[[nodiscard]] AskOptimizer installed_optimizer();
/// Asks `ask` once about the same graph, whatever its sizes, and remembers the last four answers
/// with the bytes of what was asked. Thread: not for two at a time.
[[nodiscard]] AskOptimizer remembering(AskOptimizer ask);

/// Makes `opened` the graph that TensorFlow's optimizer makes of it, for a step that is run exactly
/// so; `fetches` become names of ops. Sizes given for tensors that are gone have no effect. Returns
/// the version of TensorFlow. Errors: those of optimize_request and of `ask`; kUnsupported for a
/// cycle of runs. Precondition: there is no traced step.
[[nodiscard]] Result<std::string> run_exactly(SizedGraph& opened, std::vector<std::string>& fetches,
                                              const std::optional<DeviceProfile>& profile,
                                              const AskOptimizer& ask, Progress& progress);

}  // namespace tideline::app
