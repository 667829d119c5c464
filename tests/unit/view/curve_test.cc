#include "render/view/curve.h"

#include <catch2/catch.hpp>
#include <random>

namespace tideline::render {

TEST_CASE("the largest of any stretch is that of a walk over it, the first of equals") {
  std::mt19937 random(7);
  for (const int size : {1, 2, 3, 7, 8, 9, 64, 100, 129}) {
    std::vector<Bytes> values;
    for (int i = 0; i < size; ++i) values.push_back(static_cast<Bytes>(random() % 20));
    const Curve curve(values);
    for (int begin = 0; begin <= size; ++begin) {
      for (int end = 0; end <= size; ++end) {
        std::int32_t best = -1;
        for (int i = begin; i < end; ++i) {
          const bool better = best < 0 || values[static_cast<std::size_t>(i)] >
                                              values[static_cast<std::size_t>(best)];
          if (better) best = i;
        }
        INFO(size << " " << begin << " " << end);
        REQUIRE(curve.largest(begin, end) == best);
      }
    }
  }
}

TEST_CASE("outside of a curve there is nothing") {
  const Curve curve({5, 6});
  CHECK(curve.at(-1) == 0);
  CHECK(curve.at(2) == 0);
  CHECK(curve.largest(-9, 99) == 1);
  CHECK(curve.largest(2, 9) == -1);
  CHECK(Curve().largest(0, 1) == -1);
  CHECK(Curve().most() == 0);
}

}  // namespace tideline::render
