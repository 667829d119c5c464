#include "core/base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/text.h"

namespace tideline {
namespace {

constexpr std::size_t kMostShown = 200;  // of a text that cannot be read

struct Quantity {
  double number = 0;
  std::string_view unit;
};

// "1.5 MiB": a number that is not negative, and what stands behind it; nullopt for other texts.
std::optional<Quantity> number_and_unit(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  Quantity read;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read.number);
  if (error != std::errc() || !std::isfinite(read.number) || read.number < 0) return std::nullopt;
  read.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (read.unit.starts_with(' ')) read.unit.remove_prefix(1);
  return read;
}

std::optional<Bytes> whole_bytes(double bytes) {
  constexpr double kMost = 9.2e18;
  return bytes < kMost ? std::optional(static_cast<Bytes>(bytes)) : std::nullopt;
}

}  // namespace

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
  constexpr std::array<std::pair<std::string_view, double>, 11> kUnits = {{{"", 1.0},
                                                                           {"B", 1.0},
                                                                           {"K", 1024.0},
                                                                           {"M", kBytesPerMiB},
                                                                           {"G", kBytesPerGiB},
                                                                           {"KiB", 1024.0},
                                                                           {"MiB", kBytesPerMiB},
                                                                           {"GiB", kBytesPerGiB},
                                                                           {"KB", 1e3},
                                                                           {"MB", 1e6},
                                                                           {"GB", 1e9}}};
  if (const auto read = number_and_unit(text)) {
    for (const auto& [name, factor] : kUnits) {
      if (!equal_ignoring_case(read->unit, name)) continue;
      if (const auto bytes = whole_bytes(read->number * factor)) return *bytes;
    }
  }
  return fail(Code::kInvalidArgument,
              "'{}' is not a size: expected a number of bytes, or a number with KiB, MiB, GiB (or "
              "K, M, G), KB, MB or GB",
              printable(text, kMostShown));
}

}  // namespace tideline
