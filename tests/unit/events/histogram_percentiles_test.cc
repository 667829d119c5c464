#include "core/events/histogram_percentiles.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace tideline::events {
namespace {

using Buckets = std::vector<HistogramBucket>;

}  // namespace

TEST_CASE("Percentiles lie where the running sum of counts reaches their share", "[events]") {
  const auto values = band_values(Buckets{{0, 1, 1}, {1, 3, 3}});
  CHECK(values.front() == 0);
  CHECK(values[4] == Approx(1 + 2.0 / 3));  // 2 of 4, of which 1 lies below 1
  CHECK(values.back() == 3);
  CHECK(std::is_sorted(values.begin(), values.end()));
}

TEST_CASE("Buckets without counts, with negative or NaN counts change nothing", "[events]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto plain = band_values(Buckets{{0, 1, 1}, {4, 5, 1}});
  CHECK(band_values(Buckets{{-9, 0, 0}, {0, 1, 1}, {1, 4, -2}, {4, 5, 1}, {5, 6, nan}}) == plain);
  CHECK(plain[4] == 1);
}

TEST_CASE("A histogram without counts has no percentiles, rather than those of zeros", "[events]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Buckets& buckets :
       {Buckets{}, Buckets{{1, 2, 0}}, Buckets{{nan, nan, 0}, {nan, nan, 3}}}) {
    for (const double value : band_values(buckets)) CHECK(std::isnan(value));
  }
}

TEST_CASE("NaN and infinite values of a histogram are noticed, and the others keep theirs",
          "[events]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK_FALSE(has_not_finite(Buckets{}));
  CHECK_FALSE(has_not_finite(Buckets{{0, 1, 0}, {1, 2, 5}}));
  CHECK(has_not_finite(Buckets{{nan, nan, 0}}));  // as TensorFlow 2 writes them
  CHECK(has_not_finite(Buckets{{0, 1, 2}, {1, infinite, 0}}));
  CHECK(has_not_finite(Buckets{{0, 1, nan}}));
  const auto plain = band_values(Buckets{{0, 1, 1}, {4, 5, 1}});
  CHECK(band_values(Buckets{
            {-infinite, 0, 7}, {0, 1, 1}, {4, 5, 1}, {5, infinite, 2}, {nan, nan, 3}}) == plain);
}

TEST_CASE("Percentiles of samples in narrow buckets are those of the sorted samples", "[events]") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(2, 3);
  std::vector<double> samples(20'000);
  for (double& sample : samples) sample = normal(random);
  std::sort(samples.begin(), samples.end());
  Buckets buckets;
  for (int i = -1200; i < 1600; ++i) buckets.push_back({i / 100.0, (i + 1) / 100.0, 0});
  for (const double sample : samples) {
    buckets[static_cast<std::size_t>(std::floor(sample * 100) + 1200)].count += 1;
  }
  const auto values = band_values(buckets);
  for (std::size_t i = 1; i + 1 < values.size(); ++i) {
    const auto at = static_cast<std::size_t>(kBandShares[i] * 20'000);
    CHECK(values[i] == Approx(samples[at]).margin(0.011));  // the width of a bucket
  }
}

TEST_CASE("Equal bins get the part of each bucket that lies in them", "[events]") {
  CHECK(equal_bins(Buckets{{0, 4, 8}}, 0, 4, 4) == std::vector<double>{2, 2, 2, 2});
  CHECK(equal_bins(Buckets{{0.5, 1.5, 4}, {3, 3, 7}}, 0, 4, 4) == std::vector<double>{2, 2, 0, 7});
  // What lies outside is left out, what lies over an end gives its part.
  CHECK(equal_bins(Buckets{{-2, 2, 4}, {10, 11, 5}}, 0, 4, 2) == std::vector<double>{2, 0});
  CHECK(equal_bins(Buckets{{0, std::numeric_limits<double>::infinity(), 1}}, 0, 1, 2) ==
        std::vector<double>{0, 0});
}

TEST_CASE("Equal bins over all of a histogram keep its count", "[events]") {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    Buckets buckets;
    double at = -std::ldexp(1.0, static_cast<int>(random() % 20));
    double total = 0;
    const double least = at;
    for (int i = 0; i < 30; ++i) {
      const double right = at + std::ldexp(1.0, static_cast<int>(random() % 12) - 4);
      buckets.push_back({at, right, static_cast<double>(random() % 100)});
      total += buckets.back().count;
      at = right;
    }
    const auto bins = equal_bins(buckets, least, at, 1 + random() % 200);
    CHECK(std::accumulate(bins.begin(), bins.end(), 0.0) == Approx(total));
  }
}

}  // namespace tideline::events
