// Tested by unit/base/units_test.cc.
#include "core/base/size_or_share.h"

#include <cmath>

#include "core/base/parse.h"
#include "core/base/text.h"

namespace tideline {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

Result<Bytes> parse_size_or_share(std::string_view text, Bytes whole) {
  if (!is_share(text)) return parse_size(text);
  std::string_view number = trimmed(text);
  number.remove_suffix(1);
  const auto percent = parse_as<double>(trimmed(number));
  constexpr double kMost = 1e6;
  if (!percent || !std::isfinite(*percent) || *percent < 0 || *percent > kMost) {
    return fail(Code::kInvalidArgument, "'{}' is not a share: expected a number of percent: 60 %",
                printable(text));
  }
  return static_cast<Bytes>(*percent * static_cast<double>(whole) / 100);
}

bool is_share(std::string_view text) {
  return trimmed(text).ends_with('%');
}

}  // namespace tideline
