// What the numbers of a tensor are like.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/data_files.h"

namespace tideline::checkpoint {

/// Exact for every element type.
using Number = std::variant<std::int64_t, std::uint64_t, double>;
[[nodiscard]] std::string to_text(const Number& number);

/// Complex numbers have only counts: one is NaN or infinite if a part is.
struct Statistics {
  std::int64_t elements = 0;
  std::int64_t nans = 0;
  std::int64_t infinities = 0;
  std::int64_t zeros = 0;
  std::optional<Number> least;  ///< of those that are no NaN; none if there are none
  std::optional<Number> most;
  std::optional<double> mean;  ///< of those that are neither NaN nor infinite
};

/// Reads a tensor and its numbers. Booleans count as 0 and 1. Errors: those of TensorStream, also
/// for types that are no numbers; kCancelled. Cost: O(elements).
[[nodiscard]] Result<Statistics> statistics_of(DataFiles& files, const StoredTensor& tensor,
                                               Progress& progress);

}  // namespace tideline::checkpoint
