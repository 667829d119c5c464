// How the numbers of a tensor are distributed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/data_files.h"

namespace tideline::checkpoint {

/// Bins of equal width from `least` to `most`.
struct Histogram {
  double least = 0;  ///< of the finite numbers
  double most = 0;
  std::vector<std::int64_t> counts;  ///< by bin, `most` in the last; empty without a finite number
  std::int64_t left_out = 0;         ///< NaN and infinities
};

inline constexpr std::size_t kMostBins = 1000;

/// Counts the numbers of a tensor in `bins` bins, 1 to kMostBins; in fewer if that gives each whole
/// number of the range a bin of its own, and in one if all are equal. Booleans count as 0 and 1.
/// Errors: those of TensorStream; kUnsupported for complex numbers; kCancelled. Cost: O(elements),
/// the data is read twice.
[[nodiscard]] Result<Histogram> histogram_of(DataFiles& files, const StoredTensor& tensor,
                                             std::size_t bins, Progress& progress);

/// A tensor with the files that have its bytes.
struct TensorSource {
  DataFiles* files = nullptr;
  const StoredTensor* tensor = nullptr;
};
/// Those of two tensors over one axis, which has the numbers of both: their bins are the same.
/// Either has no counts if it has no finite number. Errors and cost as above, for both.
[[nodiscard]] Result<std::pair<Histogram, Histogram>> histograms_of(TensorSource first,
                                                                    TensorSource second,
                                                                    std::size_t bins,
                                                                    Progress& progress);

}  // namespace tideline::checkpoint
