#include "core/base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace tideline {

std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::numeric_limits<std::int64_t>::max();
  return sum;
}

std::string format_bytes(Bytes bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (std::abs(value) >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, kUnits.at(unit));
}

std::string format_time(std::int64_t ns) {
  if (ns < 0) return "-" + format_time(-ns);
  const auto value = static_cast<double>(ns);
  if (ns >= 1'000'000'000) return fmt::format("{:.2f} s", value / 1e9);
  if (ns >= 10'000'000) return fmt::format("{:.0f} ms", value / 1e6);
  if (ns >= 1'000'000) return fmt::format("{:.1f} ms", value / 1e6);
  return fmt::format("{:.0f} us", value / 1e3);
}

Result<Bytes> parse_size(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 8> kUnits = {{{"", 1.0},
                                                                          {"B", 1.0},
                                                                          {"KiB", 1024.0},
                                                                          {"MiB", kBytesPerMiB},
                                                                          {"GiB", kBytesPerGiB},
                                                                          {"KB", 1e3},
                                                                          {"MB", 1e6},
                                                                          {"GB", 1e9}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (error == std::errc() && std::isfinite(number) && number >= 0) {
    for (const auto& [name, factor] : kUnits) {
      const double bytes = number * factor;
      if (unit == name && bytes < 9.2e18) return static_cast<Bytes>(bytes);
    }
  }
  return fail(Code::kInvalidArgument,
              "'{}' is not a size: expected a number of bytes, or a number with KiB, MiB, GiB, KB, "
              "MB or GB",
              text);
}

}  // namespace tideline
