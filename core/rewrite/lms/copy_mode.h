// With which ops LMS copies a tensor to the host and back.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace tideline {

enum class CopyMode : std::uint8_t {
  kIdentity,  ///< Identity ops on the host, as the reference
  kGrappler,  ///< _CopyFromGpuToHost and _CopyFromHostToGpu, as TensorFlow's memory optimizer
};

/// The mode named "identity" or "grappler". Errors: kInvalidArgument.
[[nodiscard]] Result<CopyMode> copy_mode(const std::string& name);
[[nodiscard]] const char* name_of(CopyMode mode);

}  // namespace tideline
