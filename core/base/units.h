// Byte counts, and arithmetic on untrusted numbers that detects overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tideline {

/// A number of bytes. Signed, so that differences are ordinary numbers.
using Bytes = std::int64_t;

inline constexpr double kBytesPerMiB = 1024.0 * 1024.0;
inline constexpr double kBytesPerGiB = 1024.0 * 1024.0 * 1024.0;

/// a * b; nullopt on overflow.
[[nodiscard]] std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b);
/// a + b, or the largest value on overflow. For totals of non-negative sizes.
[[nodiscard]] std::int64_t saturating_add(std::int64_t a, std::int64_t b);

/// "12.49 MiB": the largest binary unit in which the value is at least one, two decimals.
[[nodiscard]] std::string format_bytes(Bytes bytes);

/// "1.26 s", "785 ms", "2.5 ms", "88 us".
[[nodiscard]] std::string format_time(std::int64_t ns);

/// Parses a SIZE of the command line, in any case: "1000", "512 MB", "4GiB", "4G". KB MB GB are
/// powers of 1000, KiB MiB GiB and K M G of 1024. Errors: kInvalidArgument.
[[nodiscard]] Result<Bytes> parse_size(std::string_view text);

}  // namespace tideline
