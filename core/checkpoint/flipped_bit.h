// Which bit is wrong, when bytes do not match their CRC-32C.
#pragma once

#include <cstdint>
#include <optional>

namespace tideline::checkpoint {

struct FlippedBit {
  std::int64_t byte = 0;  ///< from the beginning of the bytes
  int bit = 0;            ///< 0 is the lowest
};

/// The one bit of `bytes` bytes whose flip explains that they have the checksum `found` instead of
/// `expected`; none if no single bit does. It is the only such bit: none is named for more than
/// 256 MiB, where another bit would explain it as well. Cost: O(bytes), some nanoseconds each.
[[nodiscard]] std::optional<FlippedBit> find_flipped_bit(std::uint32_t found,
                                                         std::uint32_t expected,
                                                         std::int64_t bytes);

}  // namespace tideline::checkpoint
