#include "core/base/units.h"

#include <catch2/catch.hpp>
#include <limits>

#include "core/base/size_or_share.h"

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
  for (const char* wrong : {"", "GiB", "-1", "4 gigs", "4GiBx", "1 2", "nan", "inf", "1e30GB"}) {
    INFO(wrong);
    CHECK_FALSE(parse_size(wrong).has_value());
  }
}

TEST_CASE("4G and 10M are sizes, of device memory and so powers of 1024, in any case") {
  CHECK(*parse_size("4G") == Bytes{4} << 30);
  CHECK(*parse_size("10M") == Bytes{10} << 20);
  CHECK(*parse_size("16k") == Bytes{16} << 10);
  CHECK(*parse_size(" 168 mib ") == Bytes{168} << 20);
  CHECK(*parse_size("16KIB") == Bytes{16} << 10);
  CHECK(*parse_size("2gb") == 2000000000);
}

TEST_CASE("A share of the peak is a size where there is one, and a share of nothing else") {
  CHECK(*parse_size_or_share("60 %", 1000) == 600);
  CHECK(*parse_size_or_share("12.5%", 1000) == 125);
  CHECK(*parse_size_or_share("150%", 1000) == 1500);
  CHECK(*parse_size_or_share("168 MiB", 1000) == Bytes{168} << 20);
  for (const char* wrong : {"60%%", "%", "-5 %", "sixty %", "1e300%", "60 % of it"}) {
    INFO(wrong);
    CHECK_FALSE(parse_size_or_share(wrong, Bytes{1} << 40).has_value());
  }
  CHECK_FALSE(parse_size("60%").has_value());
}

TEST_CASE("arithmetic on sizes from files notices overflow") {
  CHECK(*checked_multiply(1 << 20, 1 << 20) == std::int64_t{1} << 40);
  CHECK_FALSE(checked_multiply(std::int64_t{1} << 40, std::int64_t{1} << 40));
  CHECK(saturating_add(std::numeric_limits<std::int64_t>::max(), 1) ==
        std::numeric_limits<std::int64_t>::max());
}

}  // namespace tideline
