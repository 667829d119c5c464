// Numbers and words in text.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tideline {

/// The number that `text` is as a whole, as std::from_chars reads it. Nullopt for other text, and
/// for numbers that `Number` cannot hold.
template <typename Number>
[[nodiscard]] std::optional<Number> parse_as(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// Takes what stands before the first `separator` off `text`, or else all of it, and the separator.
inline std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t size = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return taken;
}

/// Whether `word` is one of `words`, which blanks separate. Cost: O(words).
[[nodiscard]] inline bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    if (take_until(words, ' ') == word) return true;
  }
  return false;
}

}  // namespace tideline
