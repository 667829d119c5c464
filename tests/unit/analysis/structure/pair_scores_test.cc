#include "core/analysis/structure/pair_scores.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("what is read counts more than how near an op is") {
  const PairEvidence far{.read = 1, .strange = 0, .fits = false, .distance = 12};
  const PairEvidence near{.read = 0, .strange = 1, .fits = false, .distance = 0};
  CHECK(pair_score(far) > pair_score(near));
}

TEST_CASE("a fitting type is worth as much as a tensor; then the nearer op wins") {
  const PairEvidence fits{.read = 1, .strange = 1, .fits = true, .distance = 3};
  const PairEvidence reads{.read = 2, .strange = 0, .fits = false, .distance = 3};
  CHECK(pair_score(fits) == pair_score(reads));
  CHECK(pair_score({.read = 2, .strange = 0, .fits = false, .distance = 2}) > pair_score(fits));
}

}  // namespace tideline
