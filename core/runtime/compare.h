// Trains two graphs side by side and compares them bit for bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/runtime/trainer.h"

namespace tideline::runtime {

/// The first difference.
struct Difference {
  std::int64_t step = 0;  ///< -1: before the first step
  std::string tensor;     ///< the loss, or a variable's name
  std::string what;       ///< a sentence if no element differs: other shape, missing value
  std::vector<std::int64_t> index;  ///< of the element
  std::string original, rewritten;  ///< its values
  std::string original_bits, rewritten_bits;
  std::optional<std::uint64_t> ulps;  ///< their distance in ulps; nullopt for NaN
  std::int64_t different_elements = 0;
  std::int64_t elements = 0;
};

/// The result of compare_training.
struct Comparison {
  std::optional<Difference> difference;
  std::int64_t steps = 0;          ///< completed by both
  std::int64_t variables = 0;      ///< compared after each step
  std::int64_t uninitialised = 0;  ///< variables without a value on both sides
  std::int64_t copied = 0;  ///< variables set to the original's initial value, having differed
  std::vector<TensorValue> losses;
  std::int64_t first_not_finite = -1;  ///< first step with a loss that is not finite; -1: none
  /// Of the last step, encoded, if traces were asked for: of the original, and by run of the other.
  std::vector<std::string> original_traces, rewritten_traces;
};

/// Trains both for `steps` steps on the same feeds. Variables start with the original's initial
/// values; after each step the loss and all variables that both have are compared. Stops at the
/// first difference. A variable that only the original has is a difference, one that only the
/// rewritten graph has is not. Errors: those of Trainer. Thread: that of the trainers; blocks.
[[nodiscard]] Result<Comparison> compare_training(
    Trainer& original, const BoundFeeds& original_feeds, Trainer& rewritten,
    const BoundFeeds& rewritten_feeds, std::int64_t steps, bool trace_last, Progress& progress);

}  // namespace tideline::runtime
