// Problem: how many examples fit? Every answer to "does this batch fit" costs a simulation, with
// shapes inferred anew, and the limit lies anywhere between one and some millions.
// Idea: a peak is the sum of what does not depend on the batch (parameters) and of what is in
// proportion to it, as long as the same op is at the peak. So the line through two batch sizes that
// were tried says where the budget is met, almost exactly. The answer has to be exact, therefore
// the search keeps a bracket (a batch that fits, one that does not) and ends when they are
// neighbours; a step that narrows the bracket badly is followed by one that halves it.
//   budget 100, peak(1) = 12, peak(2) = 14: try 45 (fits, 100), 46 (102): the answer is 45.
// Cost: for a peak that is a straight line four or five simulations, from any first batch.
// Limits: where a larger batch needs less memory (TensorFlow could choose another order of ops, so
// that peaks are not monotone), a batch beyond the one that does not fit may fit; the sizes that
// were tried show whether that happened.
// Source: the regula falsi with a safeguard, as in R. P. Brent, "Algorithms for Minimization
// without Derivatives", chapter 4 (idea only). Tested by unit/memory/largest_batch_test.cc and
// property/fit.py.
#include "core/memory/largest_batch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tideline {
namespace {

constexpr Bytes kTooMuch = std::numeric_limits<Bytes>::max();

class Search {
 public:
  Search(const PeakOfBatch& peak_of, Bytes budget) : peak_of_(peak_of), budget_(budget) {}

  Result<LargestBatch> run(std::int64_t first) {
    first = std::clamp<std::int64_t>(first, 1, kMostBatch);
    TIDELINE_TRY(const Bytes peak, peak_of_(first));  // its errors are the graph's
    tried_[first] = peak;
    TIDELINE_TRY(const Bytes twice,
                 peak_at(first < kMostBatch ? std::min(2 * first, kMostBatch) : first / 2));
    if (twice == peak) {
      TIDELINE_TRY(const Bytes most, peak_at(kMostBatch));
      if (most == peak) return independent(peak);
    }
    TIDELINE_TRY(const bool has_limit, bracket(first));
    if (!has_limit) return unlimited();
    TIDELINE_RETURN_IF_ERROR(narrow());
    LargestBatch result;
    result.batch = fits_;
    result.peak = tried_.at(std::max<std::int64_t>(fits_, 1));
    result.next_peak = tried_.at(fits_ + 1);
    return finished(std::move(result));
  }

 private:
  // A batch whose sizes no longer fit 64 bits needs more than any budget.
  Result<Bytes> peak_at(std::int64_t batch) {
    if (const auto known = tried_.find(batch); known != tried_.end()) return known->second;
    auto peak = peak_of_(batch);
    if (!peak && peak.error().code == Code::kCancelled) return peak;
    return tried_[batch] = peak.value_or(kTooMuch);
  }
  Result<bool> fits(std::int64_t batch) {
    TIDELINE_TRY(const Bytes peak, peak_at(batch));
    const bool is_within = peak <= budget_;
    if (is_within) {
      fits_ = std::max(fits_, batch);
    } else {
      too_large_ = std::min(too_large_, batch);
    }
    return is_within;
  }

  // Sets fits_ (0: not even one example) and too_large_; false if kMostBatch fits.
  Result<bool> bracket(std::int64_t first) {
    TIDELINE_TRY(const bool first_fits, fits(first));
    if (!first_fits) {
      TIDELINE_RETURN_IF_ERROR(fits(1));
      return true;
    }
    for (std::int64_t batch = std::min(2 * first, kMostBatch);; batch = beyond(batch)) {
      TIDELINE_TRY(const bool still_fits, fits(batch));
      if (!still_fits) return true;
      if (batch == kMostBatch) return false;
    }
  }
  // Where the line through the two largest batches that were tried meets the budget, and some more.
  [[nodiscard]] std::int64_t beyond(std::int64_t batch) const {
    const auto last = tried_.find(batch);
    const auto before = std::prev(last);
    const double rise = static_cast<double>(last->second - before->second) /
                        static_cast<double>(last->first - before->first);
    const double doubled = 2.0 * static_cast<double>(batch);
    double next = doubled;
    if (rise > 0) {
      next = static_cast<double>(batch) + static_cast<double>(budget_ - last->second) / rise + 1;
    }
    next = std::max(next, rise > 0 ? static_cast<double>(batch) + 1 : 8.0 * doubled);
    return static_cast<std::int64_t>(std::min(std::floor(next), static_cast<double>(kMostBatch)));
  }

  Status narrow() {
    bool halves = false;
    while (too_large_ - fits_ > 1) {
      const std::int64_t width = too_large_ - fits_;
      const std::int64_t guess = halves ? fits_ + width / 2 : on_the_line();
      TIDELINE_TRY(const bool is_within, fits(guess));
      // The line says that the next one is too large.
      if (is_within && !halves && too_large_ - fits_ > 1) {
        TIDELINE_RETURN_IF_ERROR(fits(guess + 1));
      }
      halves = !halves && too_large_ - fits_ > width / 2;
    }
    return {};
  }
  // Inside of the bracket.
  [[nodiscard]] std::int64_t on_the_line() const {
    const Bytes low = fits_ > 0 ? tried_.at(fits_) : 0;
    const Bytes high = tried_.at(too_large_);
    const std::int64_t middle = fits_ + (too_large_ - fits_) / 2;
    if (fits_ == 0 || high == kTooMuch || high <= low) return middle;
    const double share = static_cast<double>(budget_ - low) / static_cast<double>(high - low);
    const double at = static_cast<double>(fits_) + share * static_cast<double>(too_large_ - fits_);
    return std::clamp(static_cast<std::int64_t>(std::floor(at)), fits_ + 1, too_large_ - 1);
  }

  LargestBatch independent(Bytes peak) const {
    LargestBatch result;
    result.depends_on_batch = false;
    result.peak = peak;
    return finished(std::move(result));
  }
  LargestBatch unlimited() const {
    LargestBatch result;
    result.peak = tried_.rbegin()->second;
    return finished(std::move(result));
  }
  LargestBatch finished(LargestBatch result) const {
    for (const auto& [batch, peak] : tried_) {
      result.is_monotone =
          result.is_monotone && (result.tried.empty() || result.tried.back().peak <= peak);
      result.tried.push_back({batch, peak});
    }
    return result;
  }

  const PeakOfBatch& peak_of_;
  Bytes budget_;
  std::map<std::int64_t, Bytes> tried_;
  std::int64_t fits_ = 0;
  std::int64_t too_large_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

Result<LargestBatch> find_largest_batch(const PeakOfBatch& peak_of, Bytes budget,
                                        std::int64_t first) {
  return Search(peak_of, budget).run(first);
}

}  // namespace tideline
