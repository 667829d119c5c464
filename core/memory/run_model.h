// How a step is simulated: as the file says, or as TensorFlow runs it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tideline {

class Graph;

/// Whether a step is as in the file, in the order of the levels, or as TensorFlow runs it: folded
/// by its graph optimizer, of each conditional one branch, in the order of its executor.
enum class AsRun : std::uint8_t { kOff, kModelled };
/// Whose order: a CPU with one thread runs expensive ops depth first, a GPU all in the order in
/// which they become ready.
enum class Executor : std::uint8_t {
  kByDevices,  ///< a GPU if the graph names one as a device, else a CPU
  kCpu,
  kGpu,
};
struct RunModel {
  AsRun as_run = AsRun::kOff;
  Executor executor = Executor::kByDevices;
  friend bool operator==(const RunModel&, const RunModel&) = default;
};

/// As options and actions write them: "off", "modelled"; "by-devices", "cpu", "gpu".
[[nodiscard]] std::string_view as_run_name(AsRun as_run);
[[nodiscard]] std::string_view executor_name(Executor executor);

/// With the executor that the devices of `graph` ask for, unless one is given.
[[nodiscard]] RunModel with_executor(RunModel run, const Graph& graph);

/// "as TensorFlow runs it on a GPU"; the executor is left out if it is not known. Empty for a step
/// as in the file.
[[nodiscard]] std::string run_text(RunModel run);
/// The members that say the same in JSON, by key. None for a step as in the file.
[[nodiscard]] std::vector<std::pair<const char*, std::string_view>> run_members(RunModel run);

}  // namespace tideline
