// --device-profile: a built-in name or a file.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/memory/device_profile.h"

namespace tideline::session {

/// Errors: kInvalidArgument, kCorrupt or kIo, naming the file, the key and what was expected.
[[nodiscard]] Result<DeviceProfile> read_device_profile(const std::string& name_or_path);

}  // namespace tideline::session
