// Problem: every record of an event file and every tensor of a checkpoint has a CRC-32C, and files
//   have gigabytes, so processing single bytes is too slow.
// Idea: a CRC is linear, so eight bytes can be processed at once: table k gives the effect of a
//   byte on the checksum when k more bytes follow, and the eight results are added (xor).
//   Processors with SSE 4.2 have an instruction for this, detected at run time. Its result is there
//   after three cycles, but one can be started in each cycle: three streams side by side keep it
//   busy. Three neighbouring lanes of L bytes are summed up separately; then the sum of the first
//   is moved past L zero bytes, which is a linear map of 32 bits (four look-ups), and added to the
//   next. Long lanes for most of the bytes, short ones for what is left; a record of a log has some
//   hundred bytes, so the shortest lane has 64.
// Cost: O(n).
// Source: RFC 3720 appendix B.4; "slicing-by-8" of M. Kounavis and F. Berry (2005); the streams
//   follow V. Gopal and others, "Fast CRC Computation for iSCSI Polynomial Using CRC32 Instruction"
//   (Intel, 2011). Tested by: tests/unit/base/crc32c_test.cc (vectors of the RFC; all methods
//   against each other).
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
constexpr std::size_t kLongLane = 8192;
constexpr std::size_t kShortLane = 256;
constexpr std::size_t kShortestLane = 64;

// A linear map of checksums: the image of each bit.
using LinearMap = std::array<std::uint32_t, 32>;

constexpr std::uint32_t image(const LinearMap& map, std::uint32_t crc) {
  std::uint32_t sum = 0;
  for (std::size_t bit = 0; bit < map.size(); ++bit) {
    if ((crc >> bit & 1U) != 0) sum ^= map[bit];
  }
  return sum;
}

// What `Bytes` zero bytes, a power of two, do to a checksum, by the byte of the checksum.
template <std::size_t Bytes>
constexpr std::array<std::array<std::uint32_t, 256>, 4> make_shift() {
  LinearMap map{};
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    const std::uint32_t crc = 1U << bit;
    map[bit] = (crc >> 8U) ^ kTables[0][crc & 0xffU];
  }
  for (std::size_t bytes = 1; bytes < Bytes; bytes *= 2) {
    LinearMap twice{};
    for (std::size_t bit = 0; bit < map.size(); ++bit) twice[bit] = image(map, map[bit]);
    map = twice;
  }
  std::array<std::array<std::uint32_t, 256>, 4> shift{};
  for (std::uint32_t place = 0; place < 4; ++place) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      shift[place][byte] = image(map, byte << (8 * place));
    }
  }
  return shift;
}

template <std::size_t Bytes>
std::uint32_t past_zeros(std::uint32_t crc) {
  static constexpr auto kShift = make_shift<Bytes>();
  return kShift[0][crc & 0xffU] ^ kShift[1][(crc >> 8U) & 0xffU] ^ kShift[2][(crc >> 16U) & 0xffU] ^
         kShift[3][crc >> 24U];
}

template <typename Word>
Word load(const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// As many times three lanes as there are in `left` bytes at `at`, which both move on.
template <std::size_t Lane>
__attribute__((target("sse4.2"))) std::uint32_t by_three_streams(std::uint32_t crc, const char*& at,
                                                                 std::size_t& left) {
  for (; left >= 3 * Lane; left -= 3 * Lane, at += 3 * Lane) {
    std::uint64_t first = crc;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < Lane; i += 8) {
      first = _mm_crc32_u64(first, load<std::uint64_t>(at + i));
      second = _mm_crc32_u64(second, load<std::uint64_t>(at + Lane + i));
      third = _mm_crc32_u64(third, load<std::uint64_t>(at + 2 * Lane + i));
    }
    crc = past_zeros<Lane>(static_cast<std::uint32_t>(first)) ^ static_cast<std::uint32_t>(second);
    crc = past_zeros<Lane>(crc) ^ static_cast<std::uint32_t>(third);
  }
  return crc;
}

__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::string_view bytes,
                                                               std::uint32_t before) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t crc = by_three_streams<kLongLane>(~before, at, left);
  crc = by_three_streams<kShortLane>(static_cast<std::uint32_t>(crc), at, left);
  crc = by_three_streams<kShortestLane>(static_cast<std::uint32_t>(crc), at, left);
  for (; left >= 8; left -= 8, at += 8) crc = _mm_crc32_u64(crc, load<std::uint64_t>(at));
  auto crc32 = static_cast<std::uint32_t>(crc);
  if ((left & 4U) != 0) {
    crc32 = _mm_crc32_u32(crc32, load<std::uint32_t>(at));
    at += 4;
  }
  if ((left & 2U) != 0) {
    crc32 = _mm_crc32_u16(crc32, load<std::uint16_t>(at));
    at += 2;
  }
  if ((left & 1U) != 0) crc32 = _mm_crc32_u8(crc32, static_cast<unsigned char>(*at));
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
