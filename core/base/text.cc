#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/base/characters.h"

namespace tideline {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The beginning of `text` up to `limit`, and on to the end of the character that lies there.
std::string_view beginning(std::string_view text, std::size_t limit) {
  if (limit >= text.size()) return text;
  std::size_t end = limit;
  const auto continues = [&] { return (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U; };
  while (end < text.size() && end < limit + 3 && continues()) ++end;
  return text.substr(0, end);
}

}  // namespace

bool is_utf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t word = 0;
    if (text.size() - at >= sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & kHighBits) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const std::size_t length = first_character(text.substr(at)).bytes;
    if (length == 0) return false;
    at += length;
  }
  return true;
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
  });
}

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t cut = std::min(text.find(separator), text.size());
    std::string_view piece = text.substr(0, cut);
    text.remove_prefix(std::min(cut + 1, text.size()));
    while (!piece.empty() && piece.front() == ' ') piece.remove_prefix(1);
    while (!piece.empty() && piece.back() == ' ') piece.remove_suffix(1);
    if (!piece.empty()) pieces.emplace_back(piece);
  }
  return pieces;
}

std::string printable(std::string_view text, std::size_t limit) {
  const std::string_view whole = beginning(text, limit);
  std::string out;
  std::size_t at = 0;
  while (at < text.size() && at < limit) {
    const HiddenCharacter hidden = next_hidden(whole, at);
    out += text.substr(at, hidden.at - at);
    at = hidden.at;
    if (at >= whole.size() || at >= limit) break;
    const auto [point, bytes] = hidden.character;
    if (bytes <= 1) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    } else if (point <= 0xffff) {
      out += fmt::format("\\u{:04x}", point);
    } else {
      out += fmt::format("\\u{{{:x}}}", point);
    }
    at += std::max<std::size_t>(bytes, 1);
  }
  if (at < text.size()) out += "...";
  return out;
}

std::string alternatives(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

bool contains_ignoring_case(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace tideline
