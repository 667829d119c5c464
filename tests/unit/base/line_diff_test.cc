#include "core/base/line_diff.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

namespace tideline {
namespace {

// "-b +x  c": a sign and the text of each line.
std::string shown(std::string_view before, std::string_view after) {
  std::string text;
  for (const DiffLine& line : diff_lines(before, after)) {
    text += line.kind == DiffLine::Kind::kSame      ? ' '
            : line.kind == DiffLine::Kind::kRemoved ? '-'
                                                    : '+';
    text += std::string(line.text) + ";";
  }
  return text;
}

}  // namespace

TEST_CASE("lines that differ stand between those that are the same") {
  CHECK(shown("a\nb\nc\n", "a\nx\nc\n") == " a;-b;+x; c;");
  CHECK(shown("a\nb\n", "a\nb\nc") == " a; b;+c;");
  CHECK(shown("", "a\n") == "+a;");
  CHECK(shown("a\n", "") == "-a;");
  CHECK(shown("", "").empty());
  CHECK(shown("\n\n", "\n") == " ;-;");
  CHECK(shown("a\na\nb\n", "a\nb\n") == " a;-a; b;");
}

TEST_CASE("an edit is as short as can be, and gives both texts") {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> letter(0, 2), length(0, 12);
  for (int round = 0; round < 300; ++round) {
    std::string texts[2];
    for (std::string& text : texts) {
      for (int i = length(random); i > 0; --i)
        text += std::string(1, static_cast<char>('a' + letter(random))) + "\n";
    }
    std::string before, after;
    std::size_t common = 0;
    for (const DiffLine& line : diff_lines(texts[0], texts[1])) {
      if (line.kind != DiffLine::Kind::kAdded) before += std::string(line.text) + "\n";
      if (line.kind != DiffLine::Kind::kRemoved) after += std::string(line.text) + "\n";
      if (line.kind == DiffLine::Kind::kSame) ++common;
    }
    CHECK(before == texts[0]);
    CHECK(after == texts[1]);
    // Every choice of lines of the shorter text, for a longest common subsequence.
    std::string a, b;
    for (const char c : texts[0])
      if (c != '\n') a += c;
    for (const char c : texts[1])
      if (c != '\n') b += c;
    std::size_t longest = 0;
    for (unsigned mask = 0; mask < (1U << a.size()); ++mask) {
      std::size_t at = 0, count = 0;
      bool is_in = true;
      for (std::size_t i = 0; i < a.size() && is_in; ++i) {
        if ((mask >> i & 1U) == 0) continue;
        at = b.find(a[i], at);
        is_in = at != std::string::npos;
        ++at, ++count;
      }
      if (is_in) longest = std::max(longest, count);
    }
    CHECK(common == longest);
  }
}

TEST_CASE("of long texts without a common line all is removed and added") {
  std::string before, after;
  for (int i = 0; i < 3000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const std::string first = "same\n" + before, second = "same\n" + after;
  const auto lines = diff_lines(first, second);
  REQUIRE(lines.size() == 6001);
  CHECK(lines[0].kind == DiffLine::Kind::kSame);
  CHECK(lines[1].kind == DiffLine::Kind::kRemoved);
  CHECK(lines[6000].kind == DiffLine::Kind::kAdded);
}

}  // namespace tideline
