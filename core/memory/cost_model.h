// How long ops and copies take: measured where they were, else by a roofline.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory/device_profile.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// What decided about an op's time.
enum class CostSource : std::uint8_t {
  kMeasured,
  kFlops,     ///< arithmetic takes longer than memory
  kBytes,     ///< memory takes at least as long, or nothing is known about the arithmetic
  kNoKernel,  ///< the op hands buffers on or runs on the host
};

struct OpCost {
  double ns = 0;
  CostSource source = CostSource::kBytes;
};

/// Times of single ops and copies, for who lays them out in time (step_time.h). Immutable; what
/// `measured_ns` looks at has to live as long. Thread: any number of readers.
class CostModel {
 public:
  /// `measured_ns`: what ops took in a traced step, by op, -1 where that is not known; ops past its
  /// end are not known.
  explicit CostModel(DeviceProfile profile, std::span<const std::int64_t> measured_ns = {});

  /// What device op `op` takes by itself, its launch included. A measured time counts whatever the
  /// profile says, also a 0. Precondition: the op runs on the device. Cost: O(inputs + outputs).
  [[nodiscard]] OpCost op_cost(const StepGraph& graph, OpId op) const;
  /// What a copy takes while it has the link, the latency included. Units: nanoseconds.
  [[nodiscard]] double to_host_ns(Bytes bytes) const;
  [[nodiscard]] double to_device_ns(Bytes bytes) const;

  [[nodiscard]] const DeviceProfile& profile() const { return profile_; }

 private:
  DeviceProfile profile_;
  std::span<const std::int64_t> measured_ns_;
};

}  // namespace tideline
