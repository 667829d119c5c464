// What a device can do a second, for turning bytes and arithmetic into time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/graph/dtype.h"

namespace tideline {

/// One direction of the connection between host and device.
struct LinkSpeed {
  double bytes_per_s = 12e9;
  std::int64_t latency_ns = 0;
  friend bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

/// Floating-point operations a second of convolutions and matrix products in one element type.
struct FlopsRate {
  DataType type = DataType::kInvalid;
  double flops_per_s = 0;
  friend bool operator==(const FlopsRate&, const FlopsRate&) = default;
};

/// Schema tideline.profile/1. Invariant: speeds are positive; no element type has two rates.
struct DeviceProfile {
  std::string name = "pcie3";
  Bytes total_bytes = 0;  ///< 0: not known
  Bytes free_bytes = 0;   ///< 0: not known
  double memory_bytes_per_s = 900e9;
  std::vector<FlopsRate> flops_per_s;  ///< ops of a type without one cost the bytes that they move
  std::int64_t launch_ns = 0;          ///< what starting an op takes, beside its work
  LinkSpeed to_host;
  LinkSpeed to_device;

  /// 0 when it is not known.
  [[nodiscard]] double flops_per_s_of(DataType type) const;
  /// Whether anything is known about computing, or about memory and links alone.
  [[nodiscard]] bool knows_computing() const { return !flops_per_s.empty() || launch_ns > 0; }
  friend bool operator==(const DeviceProfile&, const DeviceProfile&) = default;
};

/// The profile of a link: "pcie3" (12 GB/s in each direction), "pcie4" (24), "pcie5" (48), "nvlink"
/// (68), each with 900 GB/s of device memory and nothing about computing. Or of a device: "v100",
/// "a100", "h100", "t4", "rtx4090", with the peaks that its vendor states and all of its memory
/// free (assets/docs/device_profiles.md). Assumed for all: 10 us of latency. Nothing for another
/// name.
[[nodiscard]] std::optional<DeviceProfile> built_in_profile(std::string_view name);
[[nodiscard]] const std::vector<std::string_view>& built_in_profile_names();

}  // namespace tideline
