// CRC-32C (Castagnoli), the checksum of TFRecord files and of checkpoints.
#pragma once

#include <cstdint>
#include <string_view>

namespace tideline {

/// The checksum of `bytes`; with `before`, of the bytes that `before` covers followed by `bytes`.
/// Cost: O(n); faster where the processor has the instruction (SSE 4.2).
/// Source: RFC 3720, appendix B.4 (polynomial and test vectors).
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

/// The same by table look-up alone: for processors without the instruction, and as a test oracle.
[[nodiscard]] std::uint32_t crc32c_by_tables(std::string_view bytes, std::uint32_t before = 0);

/// The masked form that TFRecord files store. A CRC of data that contains its own CRC is weak, so
/// it is rotated and offset.
[[nodiscard]] constexpr std::uint32_t mask_crc(std::uint32_t crc) {
  return ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U;
}

/// The checksum behind a masked one.
[[nodiscard]] constexpr std::uint32_t unmask_crc(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xa282ead8U;
  return (rotated >> 17U) | (rotated << 15U);
}

}  // namespace tideline
