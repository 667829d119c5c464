#include "core/base/units.h"

#include <catch2/catch.hpp>
#include <limits>

namespace tideline {

TEST_CASE("sizes are printed in the largest unit that keeps a whole part") {
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(1023) == "1023 B");
  CHECK(format_bytes(13098536) == "12.49 MiB");
  CHECK(format_bytes(Bytes{4} << 30) == "4.00 GiB");
}

TEST_CASE("sizes are read with binary and decimal units") {
  CHECK(*parse_size("4GiB") == Bytes{4} << 30);
  CHECK(*parse_size("1.5 MiB") == 1572864);
  CHECK(*parse_size("512 MB") == 512000000);
  CHECK(*parse_size("77") == 77);
  for (const char* wrong : {"", "GiB", "-1", "4 gib", "4GiBx", "nan", "inf", "1e30GB"}) {
    INFO(wrong);
    CHECK_FALSE(parse_size(wrong).has_value());
  }
}

TEST_CASE("arithmetic on sizes from files notices overflow") {
  CHECK(*checked_multiply(1 << 20, 1 << 20) == std::int64_t{1} << 40);
  CHECK_FALSE(checked_multiply(std::int64_t{1} << 40, std::int64_t{1} << 40));
  CHECK(saturating_add(std::numeric_limits<std::int64_t>::max(), 1) ==
        std::numeric_limits<std::int64_t>::max());
}

}  // namespace tideline
