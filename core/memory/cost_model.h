// The time of ops and copies: measured if known, else estimated by a roofline.
#pragma once

#include <cstdint>
#include <span>

#include "core/memory/device_profile.h"
#include "core/memory/step_graph.h"

namespace tideline {

/// Where an op's time comes from.
enum class CostSource : std::uint8_t {
  kMeasured,
  kFlops,     ///< arithmetic takes longer than memory traffic
  kBytes,     ///< memory traffic takes at least as long, or the arithmetic is unknown
  kNoKernel,  ///< the op passes buffers on or runs on the host; or it ran as a part of others
  kGuessed,   ///< memory traffic alone: the profile does not describe computing
};

/// By how much a real time may differ from a computed one. Of an assumed one (flops and bytes): so
/// do four kernels of five (kernel_share.cc), and published steps by less
/// (assets/docs/device_profiles.md). A guessed one does not even know the device.
inline constexpr double kAssumedLeast = 0.75;
inline constexpr double kAssumedMost = 1.5;
inline constexpr double kGuessedLeast = 0.25;
inline constexpr double kGuessedMost = 4;

struct OpCost {
  double ns = 0;
  CostSource source = CostSource::kBytes;
};

/// Times of single ops and copies; step_time.h schedules them. The array behind `measured_ns` must
/// outlive this. Units: nanoseconds. Thread: immutable, any number of readers.
class CostModel {
 public:
  /// `measured_ns`: times of ops in a traced step, by op; -1, and ops past the end, are unknown.
  /// `span_ns`: of that step.
  explicit CostModel(DeviceProfile profile, std::span<const std::int64_t> measured_ns = {},
                     std::int64_t span_ns = 0);

  /// The time of `op` alone, its launch included. A measured time, even 0, takes precedence over
  /// the profile. Precondition: the op runs on the device. Cost: O(inputs + outputs).
  [[nodiscard]] OpCost op_cost(const StepGraph& graph, OpId op) const;
  /// The time for which a copy of `bytes` occupies its link, latency included.
  [[nodiscard]] double to_host_ns(Bytes bytes) const;
  [[nodiscard]] double to_device_ns(Bytes bytes) const;

  /// Whether the traced step is one of `graph`: all that it is run for has been measured or, where
  /// nothing says what that is, anything. What was not measured then ran as a part of others, or
  /// not at all. Cost: O(fetches).
  [[nodiscard]] bool is_traced(const StepGraph& graph) const;
  /// Whether `op` is one of the graph that was traced, and not of a plan.
  [[nodiscard]] bool is_of_traced_graph(OpId op) const { return op.index() < measured_ns_.size(); }
  [[nodiscard]] std::int64_t span_ns() const { return span_ns_; }

  [[nodiscard]] const DeviceProfile& profile() const { return profile_; }

 private:
  DeviceProfile profile_;
  std::span<const std::int64_t> measured_ns_;
  std::int64_t span_ns_;
};

}  // namespace tideline
