// What a device can do: bytes a second, for turning moved bytes into time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace tideline {

/// One direction of the connection between host and device.
struct LinkSpeed {
  double bytes_per_s = 12e9;
  std::int64_t latency_ns = 0;
  friend bool operator==(const LinkSpeed&, const LinkSpeed&) = default;
};

/// Schema tideline.profile/1. Invariant: speeds are positive.
struct DeviceProfile {
  std::string name = "pcie3";
  Bytes total_bytes = 0;  ///< 0: not known
  Bytes free_bytes = 0;
  double memory_bytes_per_s = 900e9;
  LinkSpeed to_host;
  LinkSpeed to_device;
  friend bool operator==(const DeviceProfile&, const DeviceProfile&) = default;
};

/// "pcie3" (12 GB/s in each direction), "pcie4" (24), "pcie5" (48), "nvlink" (68); nothing for
/// another name. Assumed for all: 900 GB/s of device memory, 10 us of latency.
[[nodiscard]] std::optional<DeviceProfile> built_in_profile(std::string_view name);
[[nodiscard]] const std::vector<std::string_view>& built_in_profile_names();

}  // namespace tideline
