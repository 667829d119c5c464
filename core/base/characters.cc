// Tested by unit/base/characters_test.cc.
#include "core/base/characters.h"

#include <algorithm>
#include <array>

namespace tideline {
namespace {

// First and last numbers, ascending.
struct Range {
  std::uint32_t first;
  std::uint32_t last;
};
constexpr std::array kHidden = {
    Range{0x0000, 0x001f},    // C0: among them newline, tab, ESC
    Range{0x007f, 0x009f},    // DEL and C1: U+009B begins a control sequence as ESC [ does
    Range{0x00ad, 0x00ad},    // soft hyphen
    Range{0x061c, 0x061c},    // Arabic letter mark
    Range{0x180e, 0x180e},    // Mongolian vowel separator
    Range{0x200b, 0x200f},    // zero-width space and joiners, left-to-right and right-to-left marks
    Range{0x2028, 0x202e},    // line and paragraph separators, embeddings and overrides
    Range{0x2060, 0x206f},    // word joiner, invisible operators, isolates
    Range{0xfeff, 0xfeff},    // byte order mark
    Range{0xfff9, 0xfffb},    // interlinear annotations
    Range{0xe0000, 0xe007f},  // tags
};

}  // namespace

Utf8Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  std::size_t length = 0;
  std::uint32_t point = 0;
  if (first >= 0xc2 && first <= 0xdf) {
    length = 2;
    point = first & 0x1fU;
  } else if (first >= 0xe0 && first <= 0xef) {
    length = 3;
    point = first & 0x0fU;
  } else if (first >= 0xf0 && first <= 0xf4) {
    length = 4;
    point = first & 0x07U;
  }
  if (length == 0 || text.size() < length) return {};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    point = point << 6U | (byte(i) & 0x3fU);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  if (overlong || surrogate || point > 0x10ffff) return {};
  return {point, length};
}

bool is_hidden(std::uint32_t point) {
  return std::any_of(kHidden.begin(), kHidden.end(), [point](const Range& range) {
    return range.first <= point && point <= range.last;
  });
}

HiddenCharacter next_hidden(std::string_view text, std::size_t from) {
  std::size_t at = from;
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7f) {
      ++at;
      continue;
    }
    const Utf8Character character = first_character(text.substr(at));
    if (character.bytes == 0 || is_hidden(character.point)) return {at, character};
    at += character.bytes;
  }
  return {text.size(), {}};
}

}  // namespace tideline
