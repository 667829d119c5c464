// Small questions about text that several rooms ask.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tideline {

/// Whether `text` is well-formed UTF-8 (no overlong forms, no surrogates). Cost: O(n), fast for
/// ASCII.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Whether `text` holds a control character (below 0x20, or 0x7f).
[[nodiscard]] bool has_control_character(std::string_view text);

/// `text` cut at `separator`; empty pieces are dropped, blanks around pieces too.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text, char separator);

/// For messages: control characters and broken UTF-8 as \xNN, at most `limit` bytes, then "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 200);

/// A field of a CSV line, quoted when it must be.
[[nodiscard]] std::string csv_field(std::string_view text);

/// Case-insensitive (ASCII) containment and equality, as the device tests of LMS need them.
[[nodiscard]] bool contains_ignoring_case(std::string_view text, std::string_view word);
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace tideline
