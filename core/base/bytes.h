// Whole numbers as bytes, the lowest first, as files and messages have them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tideline {

/// The number in `bytes`. Precondition: at most 8.
[[nodiscard]] constexpr std::uint64_t from_little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8U * i);
  }
  return value;
}

/// The number in the first bytes of `bytes`, as many as its type has. A single load.
/// Precondition: that many bytes.
template <std::unsigned_integral Number>
[[nodiscard]] constexpr Number leading_number(std::string_view bytes) {
  const char* const at = bytes.data();
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value = static_cast<Number>(value | Number{static_cast<unsigned char>(at[i])} << (8U * i));
  }
  return value;
}

/// Appends `number` with as many bytes as its type has.
template <std::unsigned_integral Number>
void append_little_endian(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    out += static_cast<char>(std::uint64_t{number} >> (8U * i) & 0xffU);
  }
}

}  // namespace tideline
