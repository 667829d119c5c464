// --device-profile: a built-in name or a file.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/source_bytes.h"
#include "core/memory/device_profile.h"

namespace tideline::app {

/// Returns a built-in profile or reads a file (schema tideline.profile/1), whose keys are all
/// optional: `name`, `device.total_bytes`, `device.free_bytes`, `device.memory_bytes_per_s`,
/// `device.flops_per_s` by element type, `device.launch_ns`, and `bytes_per_s` and `latency_ns` of
/// `links.to_host` and `links.to_device`, and `bytes_per_s`, `latency_ns` and `shared` of
/// `network`. Missing ones are as in "pcie3", which has no figures for computing and no launch
/// time. Errors: kInvalidArgument, kCorrupt or kIo, naming the file, the key and what was expected.
[[nodiscard]] Result<DeviceProfile> read_device_profile(const std::string& name_or_path,
                                                        Pipes pipes = Pipes::kRefuse);

}  // namespace tideline::app
