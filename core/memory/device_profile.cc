// The built-in profiles. Sources of the numbers: assets/docs/device_profiles.md.
// Tested by unit/memory/device_profile_test.cc.
#include "core/memory/device_profile.h"

#include <algorithm>
#include <array>

namespace tideline {
namespace {

constexpr std::int64_t kLatencyNs = 10'000;
constexpr double kPcie3 = 12e9;
constexpr double kPcie4 = 24e9;
constexpr double kPcie5 = 48e9;
constexpr double kNvlink = 68e9;

// What a short kernel takes in a full queue: 3.8 us on a V100 (NVIDIA Technical Blog, "Getting
// Started with CUDA Graphs", September 2019). Assumed for the others too.
constexpr std::int64_t kLaunchNs = 4'000;

constexpr std::int64_t kGiB = std::int64_t{1} << 30U;
constexpr double kTera = 1e12;

struct Link {
  std::string_view name;
  double bytes_per_s;
};
constexpr std::array<Link, 4> kLinks = {
    {{"pcie3", kPcie3}, {"pcie4", kPcie4}, {"pcie5", kPcie5}, {"nvlink", kNvlink}}};

// What a copy on a V100 reaches of the data sheet's rate: 790 of 900 GB/s. An H100 reached 0.85.
constexpr double kMemoryShare = 0.88;

// Tflop/s of dense products; 0: none stated.
struct Device {
  std::string_view name;
  std::int64_t memory_gib;
  double memory_bytes_per_s;
  double link_bytes_per_s;
  double float_rate, double_rate, half_rate, bfloat16_rate, int8_rate;
  bool has_tf32 = false;
};
constexpr std::array<Device, 5> kDevices = {{
    // Tesla V100 SXM2 16 GB. Float without tensor cores: they take no such numbers there.
    {"v100", 16, 900e9, kPcie3, 15.7, 7.8, 125, 0, 0},
    // A100 SXM4 40 GB. Float is TF32, which TensorFlow uses unless it is told not to (19.5 then).
    {"a100", 40, 1555e9, kPcie4, 156, 9.7, 312, 312, 624, true},
    // H100 SXM5 80 GB; the data sheet's figures with sparsity, halved. Float is TF32 (67 without).
    {"h100", 80, 3350e9, kPcie5, 494.5, 34, 989.5, 989.5, 1979, true},
    {"t4", 16, 320e9, kPcie3, 8.1, 0.253, 65, 0, 130},
    // GeForce RTX 4090. Half with sums in float; TF32 is as fast as float here.
    {"rtx4090", 24, 1008e9, kPcie4, 82.6, 1.29, 165.2, 165.2, 660.6},
}};

DeviceProfile profile_of(const Device& device) {
  DeviceProfile profile;
  profile.total_bytes = device.memory_gib * kGiB;
  profile.free_bytes = profile.total_bytes;
  profile.memory_bytes_per_s = kMemoryShare * device.memory_bytes_per_s;
  profile.launch_ns = kLaunchNs;
  for (const auto& [type, tera] : {std::pair(DataType::kFloat, device.float_rate),
                                   std::pair(DataType::kDouble, device.double_rate),
                                   std::pair(DataType::kHalf, device.half_rate),
                                   std::pair(DataType::kBfloat16, device.bfloat16_rate),
                                   std::pair(DataType::kInt8, device.int8_rate)}) {
    const bool is_tf32 = type == DataType::kFloat && device.has_tf32;
    if (tera > 0) {
      profile.flops_per_s.push_back({type, tera * kTera, is_tf32 || is_on_tensor_cores(type)});
    }
  }
  return profile;
}

}  // namespace

const FlopsRate* DeviceProfile::rate_of(DataType type) const {
  const auto rate =
      std::find_if(flops_per_s.begin(), flops_per_s.end(),
                   [&](const FlopsRate& entry) { return entry.type == base_type(type); });
  return rate == flops_per_s.end() ? nullptr : &*rate;
}

double DeviceProfile::flops_per_s_of(DataType type) const {
  const FlopsRate* rate = rate_of(type);
  return rate == nullptr ? 0 : rate->flops_per_s;
}

bool is_on_tensor_cores(DataType type) {
  return type == DataType::kHalf || type == DataType::kBfloat16 || type == DataType::kInt8;
}

std::optional<DeviceProfile> built_in_profile(std::string_view name) {
  DeviceProfile profile;
  double bytes_per_s = 0;
  for (const Link& link : kLinks) {
    if (link.name == name) bytes_per_s = link.bytes_per_s;
  }
  for (const Device& device : kDevices) {
    if (device.name != name) continue;
    profile = profile_of(device);
    bytes_per_s = device.link_bytes_per_s;
  }
  if (bytes_per_s == 0) return std::nullopt;
  profile.name = name;
  profile.to_host = {bytes_per_s, kLatencyNs};
  profile.to_device = {bytes_per_s, kLatencyNs};
  return profile;
}

const std::vector<std::string_view>& built_in_profile_names() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const Link& link : kLinks) names.push_back(link.name);
    for (const Device& device : kDevices) names.push_back(device.name);
    return names;
  }();
  return kNames;
}

}  // namespace tideline
