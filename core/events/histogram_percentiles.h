// Histograms in a few numbers: percentiles for bands over time, equal bins for curves.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/events/row_values.h"

namespace tideline::events {

/// The shares of a distribution at which TensorBoard draws its bands: the least and the largest
/// value, the median, and what lies within 0.5, 1 and 1.5 standard deviations of a normal
/// distribution.
inline constexpr std::array<double, 9> kBandShares = {0,      0.0668, 0.1587, 0.3085, 0.5,
                                                      0.6915, 0.8413, 0.9332, 1};

/// Whether values of the histogram were NaN or infinite: an end or the count of a bucket is no
/// finite number. TensorFlow 2 writes NaN for all ends where a single value is NaN.
[[nodiscard]] bool has_not_finite(std::span<const HistogramBucket> buckets);

/// The values below which these shares of the counts lie, ascending; inside a bucket they are
/// spread evenly. Buckets are ascending, counts below 0 or NaN count as 0. Buckets with ends that
/// are not finite are left out. All NaN without counts. Cost: O(buckets). Thread: pure.
/// Source: tensorboard/plugins/distribution/compressor.py.
[[nodiscard]] std::array<double, 9> band_values(std::span<const HistogramBucket> buckets);

/// The counts of `bins` bins of equal width between `least` and `most`; a bucket that lies over
/// several bins, or over an end, gives each its part. A bucket without width counts for the bin of
/// its value. Buckets with ends that are not finite are left out. Precondition: least < most,
/// bins > 0. Cost: O(buckets + bins touched). Thread: pure.
[[nodiscard]] std::vector<double> equal_bins(std::span<const HistogramBucket> buckets, double least,
                                             double most, std::size_t bins);

}  // namespace tideline::events
