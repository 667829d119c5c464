// Problem: every record of an event file and every block of a checkpoint has a CRC-32C, and files
//   have gigabytes, so processing single bytes is too slow.
// Idea: a CRC is linear, so eight bytes can be processed at once: table k gives the effect of a
//   byte on the checksum when k more bytes follow, and the eight results are added (xor).
//   Processors with SSE 4.2 have an instruction for this, detected at run time.
// Cost: O(n). Measured: 2.3 to 2.8 GB/s with the instruction, 0.6 GB/s with tables (Xeon, one busy
// core). Source: RFC 3720 appendix B.4; "slicing-by-8" of M. Kounavis and F. Berry (2005). Tested
// by: tests/unit/base/crc32c_test.cc (vectors of the RFC; both methods against each other).
#include "core/base/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "core/base/bytes.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace tideline {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78U;  // bits reversed
constexpr std::size_t kSlices = 8;

using Tables = std::array<std::array<std::uint32_t, 256>, kSlices>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t slice = 1; slice < kSlices; ++slice) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t crc = tables[slice - 1][byte];
      tables[slice][byte] = (crc >> 8U) ^ tables[0][crc & 0xffU];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint32_t load32(const char* at) {
  return static_cast<std::uint32_t>(from_little_endian({at, 4}));
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::string_view bytes,
                                                               std::uint32_t before) {
  std::uint64_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    crc = _mm_crc32_u64(crc, word);
  }
  auto crc32 = static_cast<std::uint32_t>(crc);
  for (; left > 0; --left, ++at) crc32 = _mm_crc32_u8(crc32, static_cast<unsigned char>(*at));
  return ~crc32;
}
#endif

}  // namespace

std::uint32_t crc32c_by_tables(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= kSlices; left -= kSlices, at += kSlices) {
    const std::uint32_t low = load32(at) ^ crc;
    const std::uint32_t high = load32(at + 4);
    crc = kTables[7][low & 0xffU] ^ kTables[6][(low >> 8U) & 0xffU] ^
          kTables[5][(low >> 16U) & 0xffU] ^ kTables[4][low >> 24U] ^ kTables[3][high & 0xffU] ^
          kTables[2][(high >> 8U) & 0xffU] ^ kTables[1][(high >> 16U) & 0xffU] ^
          kTables[0][high >> 24U];
  }
  for (; left > 0; --left, ++at) {
    crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<unsigned char>(*at)) & 0xffU];
  }
  return ~crc;
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2") != 0) return by_instruction(bytes, before);
#endif
  return crc32c_by_tables(bytes, before);
}

}  // namespace tideline
