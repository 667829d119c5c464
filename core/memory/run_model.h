// How a step is simulated: as the file says, or as TensorFlow runs it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/memory/branch_choice.h"

namespace tideline {

class GraphFacts;

/// Whether a step is as in the file, in the order of the levels, or as TensorFlow runs it: folded
/// by its graph optimizer, of each conditional one branch, in the order of its executor. kExact:
/// the graph is the one that this optimizer made, so that nothing is left to fold.
enum class AsRun : std::uint8_t { kOff, kModelled, kExact };
/// Whose order: a CPU with one thread runs expensive ops depth first, a GPU all in the order in
/// which they become ready.
enum class Executor : std::uint8_t {
  kByDevices,  ///< a GPU if a device, swaps or a profile say that there is one, else a CPU
  kCpu,
  kGpu,
};
struct RunModel {
  AsRun as_run = AsRun::kModelled;
  Executor executor = Executor::kByDevices;
  /// The branches that the user chose. Empty for a step as in the file, where both of each count.
  std::vector<GivenBranch> branches = {};
  /// Found by build_step_graph: whether the ops run in the order of a trace, because the step was
  /// traced on a device of the executor's kind. A step with v1 loops keeps the executor's order.
  bool is_in_traced_order = false;
  friend bool operator==(const RunModel&, const RunModel&) = default;
};
inline constexpr RunModel kAsInFile = {AsRun::kOff};

/// As options and actions write them: "off", "modelled", "exact"; "by-devices", "cpu", "gpu".
[[nodiscard]] std::string_view as_run_name(AsRun as_run);
[[nodiscard]] std::string_view executor_name(Executor executor);

/// With an executor, unless one is given: that of a GPU if a device of the graph is one or if the
/// graph holds swaps. What a front knows besides is in policy.h.
[[nodiscard]] RunModel with_executor(RunModel run, const GraphFacts& facts);

/// "as TensorFlow runs it on a GPU, in the order of the trace, with cond=true"; the executor is
/// left out if it is not known. Empty for a step as in the file.
[[nodiscard]] std::string run_text(const RunModel& run);
/// The members that say the same in JSON, by key. None for a step as in the file.
[[nodiscard]] std::vector<std::pair<const char*, std::string>> run_members(const RunModel& run);

}  // namespace tideline
