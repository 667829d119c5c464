// --device-profile: a built-in name or a file.
#pragma once

#include "app/session/device_profile.h"

namespace tideline::cli {
using session::read_device_profile;
}  // namespace tideline::cli
