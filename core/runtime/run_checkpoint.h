// Checkpoints of a run: what its variables hold between two steps, and which step is next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/runtime/trainer.h"

namespace tideline::runtime {

/// The tensor of such a checkpoint that is no variable: the number of the next step, an int64.
inline constexpr const char* kNextStep = "tideline_run/next_step";

/// Writes all variables that have a value, and the step, as the TensorFlow checkpoint `prefix`. The
/// one that it replaces stays whole until the new one is on disk. Errors: those of Trainer::read
/// and save_tensors; kInvalidArgument for a graph with a variable that is called kNextStep.
[[nodiscard]] Status save_run(Trainer& trainer, const std::string& prefix, std::int64_t next_step,
                              Progress& progress);

/// The next step of the run that has written `prefix`; nullopt when there is no such checkpoint.
/// Errors: those of open_checkpoint; kInvalidArgument for a checkpoint that no run has written.
[[nodiscard]] Result<std::optional<std::int64_t>> saved_step(const std::string& prefix);

}  // namespace tideline::runtime
