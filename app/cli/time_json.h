// The times of a step, in the JSON of `simulate`.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/memory/device_profile.h"
#include "core/memory/step_time.h"

namespace tideline::cli {

using NameOfOp = std::function<std::string(OpId)>;

/// The member `time`: what the step takes, which copies are late, and which ops wait for memory.
[[nodiscard]] nlohmann::ordered_json time_json(const NameOfOp& name_of, const TimeReport& timing,
                                               const DeviceProfile& profile);

}  // namespace tideline::cli
