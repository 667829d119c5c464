// Small text helpers shared by several modules.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tideline {

/// Whether `text` is well-formed UTF-8 (no overlong forms, no surrogates). Cost: O(n), fast for
/// ASCII.
[[nodiscard]] bool is_utf8(std::string_view text);

/// `text` without the mark that some editors put before UTF-8 (ef bb bf).
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// Whether `text` holds a control character (below 0x20, or 0x7f).
[[nodiscard]] bool has_control_character(std::string_view text);

/// `text` split at `separator`; pieces are trimmed, empty ones dropped.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text, char separator);

/// For people: hidden characters (characters.h) as \x1b or \u202e, cut after `limit` bytes: "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 200);

/// "a", "a or b", "a, b or c": for messages.
[[nodiscard]] std::string alternatives(std::span<const std::string> words);

/// A CSV field, quoted if necessary.
[[nodiscard]] std::string csv_field(std::string_view text);

/// ASCII letters in lower case; everything else as it is.
[[nodiscard]] std::string lower_case(std::string_view text);

/// Containment and equality ignoring ASCII case, as LMS compares device strings.
[[nodiscard]] bool contains_ignoring_case(std::string_view text, std::string_view word);
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace tideline
