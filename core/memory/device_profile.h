// Device profiles: speeds of memory, links and arithmetic, from which times are estimated.
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

/// What connects the tasks of a cluster.
struct NetworkSpeed {
  double bytes_per_s = 1.25e9;  ///< 10 Gbit/s Ethernet
  std::int64_t latency_ns = 50'000;
  /// Whether a task has one connection, in each direction, for all others; else each pair of tasks
  /// has its own.
  bool is_shared = true;
  friend bool operator==(const NetworkSpeed&, const NetworkSpeed&) = default;
};

/// The peak of floating-point operations per second in one element type, for convolutions and
/// matrix products; kernels reach a part of it (kernel_share.h).
struct FlopsRate {
  DataType type = DataType::kInvalid;
  double flops_per_s = 0;
  bool on_tensor_cores = false;
  friend bool operator==(const FlopsRate&, const FlopsRate&) = default;
};

/// Schema tideline.profile/1. Invariant: speeds are positive; no element type has two rates.
struct DeviceProfile {
  std::string name = "pcie3";
  Bytes total_bytes = 0;               ///< 0: not known
  Bytes free_bytes = 0;                ///< 0: not known
  double memory_bytes_per_s = 900e9;   ///< that kernels reach
  std::vector<FlopsRate> flops_per_s;  ///< types without a rate are costed by bytes moved alone
  std::int64_t launch_ns = 0;          ///< overhead of starting an op
  LinkSpeed to_host;
  LinkSpeed to_device;
  NetworkSpeed network = {};

  /// The rate for `type`; null, and 0, when unknown.
  [[nodiscard]] const FlopsRate* rate_of(DataType type) const;
  [[nodiscard]] double flops_per_s_of(DataType type) const;
  /// Whether the profile describes computing, and not only memory and links.
  [[nodiscard]] bool knows_computing() const { return !flops_per_s.empty() || launch_ns > 0; }
  friend bool operator==(const DeviceProfile&, const DeviceProfile&) = default;
};

/// Whether devices that have tensor cores use them for `type` in any case.
[[nodiscard]] bool is_on_tensor_cores(DataType type);

/// The built-in profile `name`; nullopt for other names. Links: "pcie3" (12 GB/s in each
/// direction), "pcie4" (24), "pcie5" (48), "nvlink" (68), each with 900 GB/s of device memory and
/// no figures for computing. Devices: "v100", "a100", "h100", "t4", "rtx4090", with the vendor's
/// peak figures for arithmetic, 0.88 of them for memory, and all of the memory free
/// (assets/docs/device_profiles.md). All assume 10 us of latency.
[[nodiscard]] std::optional<DeviceProfile> built_in_profile(std::string_view name);
/// The names of the built-in profiles: links, then devices.
[[nodiscard]] const std::vector<std::string_view>& built_in_profile_names();

}  // namespace tideline
