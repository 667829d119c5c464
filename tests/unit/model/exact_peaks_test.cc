#include "render/model/exact_peaks.h"

#include <catch2/catch.hpp>

namespace tideline::ui {
namespace {

constexpr Bytes kMib = Bytes{1} << 20U;

}  // namespace

TEST_CASE("an exact peak stands beside the modelled one") {
  CHECK(exact_text("2.15.1", {300 * kMib}, 290 * kMib) ==
        "device peak 300.00 MiB exactly, by TensorFlow 2.15.1; modelled 290.00 MiB");
}

TEST_CASE("an exact peak exceeds a budget, or gets stuck in it, or fits") {
  CHECK(exact_miss({300 * kMib}, 0).empty());
  CHECK(exact_miss({300 * kMib}, 300 * kMib).empty());
  CHECK(exact_miss({301 * kMib}, 300 * kMib) == "exceeds 300.00 MiB by 1.00 MiB");
  CHECK(exact_miss({200 * kMib, true}, 300 * kMib) == "does not fit 300.00 MiB");
}

TEST_CASE("peaks are asked for until they or a problem are there") {
  CHECK(ExactPeaks{}.is_asking());
  CHECK_FALSE(ExactPeaks{"2.15.1", {{1, false}}}.is_asking());
  CHECK_FALSE(ExactPeaks{"", {}, {}, "no TensorFlow found"}.is_asking());
}

}  // namespace tideline::ui
