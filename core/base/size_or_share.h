// Sizes that may be given as a share of another one.
#pragma once

#include <string_view>

#include "core/base/units.h"

namespace tideline {

/// Parses a SIZE (parse_size), or a share of `whole`: "60 %", "12.5%", rounded down. Errors:
/// kInvalidArgument.
[[nodiscard]] Result<Bytes> parse_size_or_share(std::string_view text, Bytes whole);
/// Whether it is a share, as far as its last character tells.
[[nodiscard]] bool is_share(std::string_view text);

}  // namespace tideline
