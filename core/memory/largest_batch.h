// The largest batch with which a step stays within a budget of device memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/units.h"

namespace tideline {

/// The device peak of a step with that batch size.
using PeakOfBatch = std::function<Result<Bytes>(std::int64_t batch)>;

struct BatchPeak {
  std::int64_t batch = 0;
  Bytes peak = 0;
};

struct LargestBatch {
  /// The largest batch that fits: 0 if a single example does not, nullopt if the peak does not
  /// depend on the batch, or if even kMostBatch fits.
  std::optional<std::int64_t> batch;
  bool depends_on_batch = true;
  Bytes peak = 0;       ///< of that batch; of one example if none fits
  Bytes next_peak = 0;  ///< of the next batch, which does not fit
  /// Whether every larger batch that was simulated had a peak at least as large. If not, a batch
  /// beyond the next one may fit, too.
  bool is_monotone = true;
  std::vector<BatchPeak> tried;  ///< ascending
};

inline constexpr std::int64_t kMostBatch = std::int64_t{1} << 24;

/// Searches for it from `first`, a batch size to begin with: brackets it, then narrows the bracket
/// by the secant of the peaks, because a peak is nearly linear in the batch, and by bisection where
/// that does not help. The batch that is returned and the one after it were both simulated. Errors:
/// those of `peak_of`. Cost: about five calls of it; at most 80.
[[nodiscard]] Result<LargestBatch> find_largest_batch(const PeakOfBatch& peak_of, Bytes budget,
                                                      std::int64_t first);

}  // namespace tideline
