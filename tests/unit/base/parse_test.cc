#include "core/base/parse.h"

#include <catch2/catch.hpp>
#include <cstdint>

namespace tideline {

TEST_CASE("a number is the whole of its text, and fits") {
  CHECK(parse_as<int>("-12") == -12);
  CHECK(parse_as<double>("1.5e3") == 1500.0);
  for (const char* text : {"", " 1", "1 ", "+1", "0x1", "1,5", "4294967296", "-1", "a"}) {
    INFO(text);
    CHECK_FALSE(parse_as<std::uint32_t>(text));
  }
}

TEST_CASE("words are taken off one after the other, empty ones too") {
  std::string_view text = "a,,b";
  CHECK(take_until(text, ',') == "a");
  CHECK(take_until(text, ',').empty());
  CHECK(text == "b");
  CHECK(take_until(text, ',') == "b");
  CHECK(text.empty());
  CHECK(take_until(text, ',').empty());
}

TEST_CASE("a word of a list is the whole word") {
  CHECK(has_word("Const Read", "Const"));
  CHECK(has_word("Const Read", "Read"));
  CHECK_FALSE(has_word("Const Read", "Con"));
  CHECK_FALSE(has_word("Const Read", "ead"));
  CHECK_FALSE(has_word("Const Read", ""));
  CHECK_FALSE(has_word("", ""));
}

}  // namespace tideline
