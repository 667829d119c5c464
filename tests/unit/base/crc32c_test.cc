#include "core/base/crc32c.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

namespace tideline {
namespace {

std::string counted(char first, int step) {
  std::string bytes;
  for (int i = 0; i < 32; ++i) bytes += static_cast<char>(first + i * step);
  return bytes;
}

// A bit at a time, as the definition says.
std::uint32_t obvious_crc32c(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82f63b78U : 0U);
  }
  return ~crc;
}

}  // namespace

TEST_CASE("crc32c has the checksums of RFC 3720") {
  for (const auto& crc : {&crc32c, &crc32c_by_tables}) {
    CHECK(crc("", 0) == 0);
    CHECK(crc("123456789", 0) == 0xe3069283U);
    CHECK(crc(std::string(32, '\0'), 0) == 0x8a9136aaU);
    CHECK(crc(std::string(32, '\xff'), 0) == 0x62a8ab43U);
    CHECK(crc(counted(0, 1), 0) == 0x46dd794eU);
    CHECK(crc(counted(31, -1), 0) == 0x113fdb5cU);
  }
}

TEST_CASE("crc32c is the same by instruction, by tables, bit by bit and in pieces") {
  std::minstd_rand random(7);
  std::string bytes;
  for (std::size_t size = 0; size < 70; ++size) {
    const std::uint32_t whole = obvious_crc32c(bytes);
    CHECK(crc32c(bytes) == whole);
    CHECK(crc32c_by_tables(bytes) == whole);
    for (const std::size_t cut : {std::size_t{0}, size / 3, size}) {
      const std::string_view view(bytes);
      CHECK(crc32c(view.substr(cut), crc32c(view.substr(0, cut))) == whole);
      CHECK(crc32c_by_tables(view.substr(cut), crc32c_by_tables(view.substr(0, cut))) == whole);
    }
    bytes += static_cast<char>(random() & 0xffU);
  }
}

TEST_CASE("crc32c is the same in one stream and in three, around every size of a lane") {
  std::minstd_rand random(11);
  std::string bytes(2 * 3 * 8192 + 3 * 256 + 21, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() & 0xffU);
  for (const std::size_t lanes :
       {std::size_t{3} * 64, std::size_t{3} * 256, std::size_t{3} * 8192}) {
    for (std::size_t times = 1; times <= 2; ++times) {
      for (std::size_t size = lanes * times - 9; size <= lanes * times + 9; ++size) {
        const auto view = std::string_view(bytes).substr(size % 7, size);
        CHECK(crc32c(view, 5) == crc32c_by_tables(view, 5));
      }
    }
  }
  CHECK(crc32c(bytes) == obvious_crc32c(bytes));
}

TEST_CASE("a checksum is found again behind its mask") {
  for (const std::uint32_t crc : {0U, 1U, 0x8a9136aaU, 0xffffffffU}) {
    CHECK(unmask_crc(mask_crc(crc)) == crc);
  }
}

TEST_CASE("a masked checksum is that of the TFRecord format") {
  // The first eight bytes of every log that TensorFlow writes: a record of 24 bytes.
  CHECK(mask_crc(crc32c(std::string("\x18\0\0\0\0\0\0\0", 8))) == 0x224b7fa3U);
}

}  // namespace tideline
