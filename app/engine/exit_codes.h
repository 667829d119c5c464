// What the program exits with, as the README promises.
#pragma once

#include "core/base/error.h"

namespace tideline::app {

inline constexpr int kExitDone = 0;
inline constexpr int kExitData = 1;   ///< wrong input, or nothing could be written
inline constexpr int kExitUsage = 2;  ///< a wrong command line or script
inline constexpr int kExitCheck = 3;  ///< a comparison, an expectation or a budget does not hold
inline constexpr int kExitInterrupted = 130;

[[nodiscard]] inline int exit_code(const Error& error) {
  switch (error.code) {
    case Code::kOverBudget: return kExitCheck;
    case Code::kCancelled: return kExitInterrupted;
    default: return kExitData;
  }
}

}  // namespace tideline::app
