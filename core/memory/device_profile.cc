#include "core/memory/device_profile.h"

#include <algorithm>

namespace tideline {

double DeviceProfile::flops_per_s_of(DataType type) const {
  const auto rate =
      std::find_if(flops_per_s.begin(), flops_per_s.end(),
                   [&](const FlopsRate& entry) { return entry.type == base_type(type); });
  return rate == flops_per_s.end() ? 0 : rate->flops_per_s;
}

std::optional<DeviceProfile> built_in_profile(std::string_view name) {
  double bytes_per_s = 0;
  if (name == "pcie3") bytes_per_s = 12e9;
  if (name == "pcie4") bytes_per_s = 24e9;
  if (name == "pcie5") bytes_per_s = 48e9;
  if (name == "nvlink") bytes_per_s = 68e9;
  if (bytes_per_s == 0) return std::nullopt;
  constexpr std::int64_t kLatencyNs = 10'000;
  DeviceProfile profile;
  profile.name = name;
  profile.to_host = {bytes_per_s, kLatencyNs};
  profile.to_device = {bytes_per_s, kLatencyNs};
  return profile;
}

const std::vector<std::string_view>& built_in_profile_names() {
  static const std::vector<std::string_view> kNames = {"pcie3", "pcie4", "pcie5", "nvlink"};
  return kNames;
}

}  // namespace tideline
