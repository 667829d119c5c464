// Two graphs trained side by side, compared bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/runtime/trainer.h"

namespace tideline::runtime {

/// The first thing that is not the same.
struct Difference {
  std::int64_t step = 0;  ///< -1: before the first step
  std::string tensor;     ///< the loss, or a variable's name
  std::string what;       ///< a sentence when there is no element to show: a shape, a missing value
  std::vector<std::int64_t> index;  ///< of the element
  std::string original, rewritten;  ///< its values
  std::string original_bits, rewritten_bits;
  std::optional<std::uint64_t> ulps;  ///< representable numbers between them; absent for NaN
  std::int64_t different_elements = 0;
  std::int64_t elements = 0;
};

struct Comparison {
  std::optional<Difference> difference;
  std::int64_t steps = 0;          ///< that both finished
  std::int64_t variables = 0;      ///< that were compared after each of them
  std::int64_t uninitialised = 0;  ///< variables without a value on both sides
  std::int64_t copied = 0;  ///< variables that began differently and got the original's value
  std::vector<TensorValue> losses;
  std::int64_t first_not_finite = -1;  ///< step at which the loss was no finite number; -1: none
};

/// Trains both for `steps` steps on the same feeds. Variables start from the original's
/// initialisers; after each step the loss and every variable that both have are compared. Stops at
/// the first difference. A variable that only the original has is a difference; one that only the
/// rewritten graph has is none. Errors: those of Trainer.
[[nodiscard]] Result<Comparison> compare_training(Trainer& original,
                                                  const BoundFeeds& original_feeds,
                                                  Trainer& rewritten,
                                                  const BoundFeeds& rewritten_feeds,
                                                  std::int64_t steps, Progress& progress);

}  // namespace tideline::runtime
