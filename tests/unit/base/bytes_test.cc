#include "core/base/bytes.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("numbers are written with the lowest byte first, and read back") {
  using std::string_literals::operator""s;
  std::string out;
  append_little_endian(out, std::uint16_t{0x0102});
  append_little_endian(out, std::uint32_t{0xff});
  append_little_endian(out, std::uint64_t{0xfedcba9876543210});
  CHECK(out == "\x02\x01\xff\0\0\0\x10\x32\x54\x76\x98\xba\xdc\xfe"s);
  CHECK(from_little_endian(std::string_view(out).substr(0, 2)) == 0x0102);
  CHECK(from_little_endian(std::string_view(out).substr(2, 4)) == 0xff);
  CHECK(from_little_endian(std::string_view(out).substr(6)) == 0xfedcba9876543210);
  CHECK(from_little_endian("") == 0);
}

}  // namespace tideline
