#include "core/memory/largest_batch.h"

#include <catch2/catch.hpp>
#include <limits>
#include <set>

namespace tideline {
namespace {

// Peaks by a function, and how often each batch was asked for.
struct Peaks {
  std::function<Bytes(std::int64_t)> of;
  std::multiset<std::int64_t> asked = {};

  LargestBatch find(Bytes budget, std::int64_t first) {
    asked.clear();
    const auto found = find_largest_batch(
        [this](std::int64_t batch) -> Result<Bytes> {
          asked.insert(batch);
          return of(batch);
        },
        budget, first);
    REQUIRE(found);
    for (const std::int64_t batch : asked) CHECK(asked.count(batch) == 1);
    return *found;
  }
};

}  // namespace

TEST_CASE("the largest batch that fits is found for every budget and every first batch") {
  Peaks peaks{[](std::int64_t batch) { return 1000 + 7 * batch; }};
  for (const Bytes budget : {1007, 1008, 1013, 1014, 1700, 99999, 12345678}) {
    for (const std::int64_t first : {1, 2, 3, 64, 5000}) {
      const LargestBatch found = peaks.find(budget, first);
      INFO(budget << " from " << first);
      REQUIRE(found.batch);
      CHECK(*found.batch == (budget - 1000) / 7);
      CHECK(found.peak == 1000 + 7 * *found.batch);
      CHECK(found.next_peak == found.peak + 7);
      CHECK(found.is_monotone);
    }
  }
}

TEST_CASE("a straight line costs a handful of simulations") {
  Peaks peaks{[](std::int64_t batch) { return 100'000'000 + 81'234'567 * batch; }};
  CHECK(*peaks.find(Bytes{16} << 30, 64).batch == 210);
  CHECK(peaks.asked.size() <= 6);
  CHECK(*peaks.find(Bytes{16} << 30, 1).batch == 210);
  CHECK(peaks.asked.size() <= 6);
}

TEST_CASE("where the op at the peak changes with the batch the search still ends at the limit") {
  // What does not grow is at the peak first, and then what grows with the square.
  Peaks peaks{[](std::int64_t batch) {
    return std::max<std::int64_t>(500'000, std::max(2000 * batch, batch * batch));
  }};
  CHECK(*peaks.find(10'000'000, 1).batch == 3162);
  CHECK(*peaks.find(600'000, 7).batch == 300);
  CHECK(peaks.asked.size() <= 40);
}

TEST_CASE("not even one example may fit, or any number") {
  Peaks peaks{[](std::int64_t batch) { return 1000 + batch; }};
  const LargestBatch none = peaks.find(1000, 64);
  CHECK(none.batch == 0);
  CHECK(none.peak == 1001);
  CHECK(none.next_peak == 1001);
  CHECK_FALSE(peaks.find(std::numeric_limits<Bytes>::max() / 2, 64).batch);
}

TEST_CASE("a peak that does not depend on the batch has no largest one") {
  Peaks peaks{[](std::int64_t) { return 1000; }};
  for (const Bytes budget : {10, 100'000}) {
    const LargestBatch found = peaks.find(budget, 8);
    CHECK_FALSE(found.batch);
    CHECK_FALSE(found.depends_on_batch);
    CHECK(found.peak == 1000);
    CHECK(peaks.asked.size() == 3);
  }
}

TEST_CASE("a larger batch that needs less is noticed") {
  Peaks peaks{[](std::int64_t batch) { return batch == 64 ? 9000 : 100 * batch; }};
  CHECK_FALSE(peaks.find(10'000, 32).is_monotone);
}

TEST_CASE("sizes that no longer fit 64 bits do not fit a budget; errors of the graph are told") {
  const auto found = find_largest_batch(
      [](std::int64_t batch) -> Result<Bytes> {
        if (batch > 100) return fail(Code::kUnsupported, "too large");
        return 10 * batch;
      },
      1'000'000, 10);
  REQUIRE(found);
  CHECK(found->batch == 100);
  const auto wrong = find_largest_batch(
      [](std::int64_t) -> Result<Bytes> { return fail(Code::kCorrupt, "op 'x' is damaged"); }, 10,
      10);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "op 'x' is damaged");
}

TEST_CASE("a search that is cancelled ends at once") {
  int calls = 0;
  const auto found = find_largest_batch(
      [&](std::int64_t batch) -> Result<Bytes> {
        if (++calls == 3) return fail(Code::kCancelled, "interrupted");
        return 10 * batch;
      },
      100'000, 10);
  REQUIRE_FALSE(found);
  CHECK(found.error().code == Code::kCancelled);
  CHECK(calls == 3);
}

}  // namespace tideline
