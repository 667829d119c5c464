// Characters of UTF-8 text, and which of them a terminal obeys or does not show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tideline {

/// One character: its number in Unicode and the bytes that it takes.
struct Utf8Character {
  std::uint32_t point = 0;
  std::size_t bytes = 0;  ///< 0: the text does not begin with well-formed UTF-8
};

/// The character that `text` (not empty) begins with. Overlong forms and surrogates are not
/// well-formed.
[[nodiscard]] Utf8Character first_character(std::string_view text);

/// Whether a terminal may do something else than show a glyph: control characters (C0, DEL, C1),
/// line and paragraph separators, bidirectional controls, and characters without any width, which
/// make different names look the same.
[[nodiscard]] bool is_hidden(std::uint32_t point);

/// Where the next hidden character is, or the next byte that is no UTF-8 (then `bytes` is 0).
/// At the end `at` is the size of the text. Cost: O(n), fast for ASCII.
struct HiddenCharacter {
  std::size_t at = 0;
  Utf8Character character;
};
[[nodiscard]] HiddenCharacter next_hidden(std::string_view text, std::size_t from);

}  // namespace tideline
