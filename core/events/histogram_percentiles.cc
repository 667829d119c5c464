// Problem: histograms have some dozens to hundreds of buckets, of widths that grow exponentially;
// pictures show nine percentiles over time, or a curve that can be compared with other steps.
// Idea: percentiles from the running sum of the counts, spread evenly inside a bucket. For curves
// each bucket is poured into equal bins by the part of its width that lies in each.
// Example: buckets [0, 1) with 1 and [1, 3) with 3 have their median at 1 + 2 * (2 - 1) / 3.
// Cost: O(buckets), and O(bins) for each bucket that is wider than a bin.
// Source: the shares are those of tensorboard/plugins/distribution/compressor.py; the rest is own.
// Tested by tests/unit/events/histogram_percentiles_test.cc.
#include "core/events/histogram_percentiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tideline::events {
namespace {

bool is_finite(const HistogramBucket& bucket) {
  return std::isfinite(bucket.left) && std::isfinite(bucket.right) && std::isfinite(bucket.count);
}

double count_of(const HistogramBucket& bucket) {
  return bucket.count > 0 && is_finite(bucket) ? bucket.count : 0;
}

}  // namespace

bool has_not_finite(std::span<const HistogramBucket> buckets) {
  return !std::all_of(buckets.begin(), buckets.end(), is_finite);
}

std::array<double, 9> band_values(std::span<const HistogramBucket> buckets) {
  std::array<double, 9> values = {};
  values.fill(std::numeric_limits<double>::quiet_NaN());
  double total = 0;
  for (const HistogramBucket& bucket : buckets) total += count_of(bucket);
  if (!(total > 0)) return values;
  double below = 0;
  std::size_t next = 0;
  for (const HistogramBucket& bucket : buckets) {
    const double count = count_of(bucket);
    if (count == 0) continue;
    while (next < values.size() && kBandShares[next] * total <= below + count) {
      const double share = std::clamp((kBandShares[next] * total - below) / count, 0.0, 1.0);
      // Not left + share * width: the width of the widest buckets is infinite.
      values[next] = bucket.left * (1 - share) + bucket.right * share;
      ++next;
    }
    below += count;
  }
  // Rounding may leave the last one over.
  const auto last = std::find_if(buckets.rbegin(), buckets.rend(),
                                 [](const auto& bucket) { return count_of(bucket) > 0; });
  for (; next < values.size(); ++next) values[next] = last->right;
  return values;
}

std::vector<double> equal_bins(std::span<const HistogramBucket> buckets, double least, double most,
                               std::size_t bins) {
  std::vector<double> counts(bins);
  const double width = (most - least) / static_cast<double>(bins);
  const auto bin_of = [&](double value) {
    const double place = std::clamp((value - least) / width, 0.0, static_cast<double>(bins - 1));
    return static_cast<std::size_t>(place);
  };
  for (const HistogramBucket& bucket : buckets) {
    const double count = count_of(bucket);
    if (count == 0) continue;
    if (bucket.right < least || bucket.left > most) continue;
    const double whole = bucket.right - bucket.left;
    if (!(whole > 0) || !std::isfinite(count / whole)) {
      counts[bin_of(bucket.left)] += count;
      continue;
    }
    const std::size_t last = bin_of(bucket.right);
    for (std::size_t bin = bin_of(bucket.left); bin <= last; ++bin) {
      const double from = std::max(bucket.left, least + width * static_cast<double>(bin));
      const double to = std::min(bucket.right, least + width * static_cast<double>(bin + 1));
      if (to > from) counts[bin] += count * ((to - from) / whole);
    }
  }
  return counts;
}

}  // namespace tideline::events
