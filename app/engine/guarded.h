// Looks at a driver or a library that may be broken, in a process of its own.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "app/engine/checked_part.h"

namespace tideline::app {

/// What `look` finds, which runs in a copy of this process without standard output and standard
/// error: should it crash, or take longer than `patience`, the finding is a problem called `name`
/// that says so. To be called while the process has one thread. Blocks.
[[nodiscard]] CheckedPart guarded(const std::string& name, std::chrono::milliseconds patience,
                                  const std::function<CheckedPart()>& look);

}  // namespace tideline::app
