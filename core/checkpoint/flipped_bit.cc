// Problem: a wrong checksum says that a tensor of a gigabyte is damaged, not where.
// Idea: checksums are linear, so the difference of the two depends on the flipped bit alone: it is
//   the bit's own, moved past the bytes that follow. Moving past a zero byte can be undone, so the
//   difference is moved back byte by byte until it is that of a single bit.
// Limits: the polynomial of CRC-32C repeats after 2^31 - 1 bits, 256 MiB. Two flipped bits never
//   look like one (the polynomial has the factor x + 1); three or five do now and then, in a tensor
//   of 128 KiB in one of 2000 cases.
// Tested by: unit/checkpoint/verify_test.cc.
#include "core/checkpoint/flipped_bit.h"

#include <array>
#include <bit>

namespace tideline::checkpoint {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78U;  // bits reversed
constexpr std::int64_t kMostBytes = (std::int64_t{1} << 28U) - 1;

// By the highest byte of a checksum: which byte was moved out to make it, and with what effect.
struct Undo {
  std::array<std::uint32_t, 256> effect{};
  std::array<std::uint8_t, 256> byte{};
};

constexpr Undo make_undo() {
  Undo undo;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
    undo.effect[crc >> 24U] = crc;
    undo.byte[crc >> 24U] = static_cast<std::uint8_t>(byte);
  }
  return undo;
}

constexpr Undo kUndo = make_undo();

}  // namespace

std::optional<FlippedBit> find_flipped_bit(std::uint32_t found, std::uint32_t expected,
                                           std::int64_t bytes) {
  if (bytes > kMostBytes) return std::nullopt;
  std::uint32_t difference = found ^ expected;
  for (std::int64_t byte = bytes - 1; byte >= 0; --byte) {
    const std::uint32_t high = difference >> 24U;
    difference = ((difference ^ kUndo.effect[high]) << 8U) | kUndo.byte[high];
    if (difference < 256 && std::has_single_bit(difference)) {
      return FlippedBit{byte, std::countr_zero(difference)};
    }
  }
  return std::nullopt;
}

}  // namespace tideline::checkpoint
