#include "core/base/characters.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"

namespace tideline {
namespace {

std::string utf8(std::uint32_t point) {
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  const auto rest = [&](int shift) { return byte(0x80U | (point >> shift & 0x3fU)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xc0U | point >> 6U), rest(0)};
  if (point < 0x10000) return {byte(0xe0U | point >> 12U), rest(6), rest(0)};
  return {byte(0xf0U | point >> 18U), rest(12), rest(6), rest(0)};
}

}  // namespace

TEST_CASE("no control character, separator or bidirectional control is printed as it is") {
  std::vector<std::uint32_t> points = {0x7f,   0xad,   0x061c, 0x200b, 0x200e,
                                       0x200f, 0x2028, 0x2029, 0xfeff, 0xe0001};
  for (std::uint32_t c0 = 0; c0 < 0x20; ++c0) points.push_back(c0);
  for (std::uint32_t c1 = 0x80; c1 <= 0x9f; ++c1) points.push_back(c1);
  for (std::uint32_t bidi = 0x202a; bidi <= 0x202e; ++bidi) points.push_back(bidi);
  for (std::uint32_t isolate = 0x2066; isolate <= 0x2069; ++isolate) points.push_back(isolate);
  for (const std::uint32_t point : points) {
    CAPTURE(point);
    const std::string text = "a" + utf8(point) + "b";
    CHECK(is_hidden(point));
    CHECK(next_hidden(text, 0).at == 1);
    CHECK(printable(text).find(utf8(point)) == std::string::npos);
    CHECK(printable(text).starts_with("a\\"));
    CHECK(printable(text).ends_with("b"));
    // Also where the text is cut in the middle of the character.
    CHECK(printable(text, 2).find(utf8(point)) == std::string::npos);
  }
}

TEST_CASE("what a terminal shows stays as it is") {
  for (const char* text : {"conv1/Relu:0 ~", "畳み込み", "é", "🙂", "שלום", "\xc2\xa0"}) {
    CHECK(printable(text) == text);
    CHECK(next_hidden(text, 0).at == std::string_view(text).size());
  }
}

TEST_CASE("hidden characters are shown by their numbers, bytes that are no UTF-8 too") {
  CHECK(printable("\x1b[2K\x7f") == "\\x1b[2K\\x7f");
  CHECK(printable("\xc2\x9b"
                  "2K") == "\\u009b2K");
  CHECK(printable("\xe2\x80\xae") == "\\u202e");
  CHECK(printable("\xf3\xa0\x81\x81") == "\\u{e0041}");
  CHECK(printable("\x9b") == "\\x9b");  // C1 in one byte is no UTF-8
  CHECK(printable("\xe2\x80") == "\\xe2\\x80");
  CHECK(printable("\xc2\x9b\xc2\x9b", 1) == "\\u009b...");
  CHECK(printable("畳畳", 4) == "畳畳");
}

}  // namespace tideline
