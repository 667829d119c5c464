// What the rewriter `checkpoint` is asked for.
#pragma once

#include <string>

#include "core/base/error.h"

namespace tideline {

/// The options of plan_checkpoint. Both become attributes of the new ops.
struct CheckpointOptions {
  std::string backend = {};  ///< by whom tensors are saved and restored
  std::string config = {};   ///< handed to the backend as it is
  friend bool operator==(const CheckpointOptions&, const CheckpointOptions&) = default;
};

/// Checks the values without asking whether such a backend is installed: that matters where the
/// graph runs. Errors: kInvalidArgument naming the parameter and what was expected.
[[nodiscard]] Status validate(const CheckpointOptions& options);

}  // namespace tideline
