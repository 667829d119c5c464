// How a step is simulated: as the file says, or as TensorFlow runs it.
#pragma once

#include <cstdint>

namespace tideline {

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

}  // namespace tideline
