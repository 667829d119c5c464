#include "app/engine/log_wish.h"

#include <catch2/catch.hpp>

namespace tideline::app {

TEST_CASE("ranges of steps have both ends, and either may be left out") {
  const auto range = parse_steps("10:20");
  REQUIRE(range);
  CHECK(range->has(10));
  CHECK(range->has(20));
  CHECK_FALSE(range->has(9));
  CHECK_FALSE(range->has(21));
  CHECK(parse_steps("5:")->has(1'000'000));
  CHECK_FALSE(parse_steps("5:")->has(4));
  CHECK(parse_steps(":5")->has(-3));
  CHECK(parse_steps("7")->has(7));
  CHECK_FALSE(parse_steps("7")->has(8));
  for (const char* wrong :
       {"", ":", "a:b", "3:2", "1:2:3", "1.5:", " 1:2", "99999999999999999999:"}) {
    CHECK_FALSE(parse_steps(wrong));
  }
}

}  // namespace tideline::app
