#include "core/base/name_pattern.h"

#include <catch2/catch.hpp>

namespace tideline {
namespace {

bool matches(const std::string& pattern, std::string_view name) {
  const auto compiled = NamePattern::compile(pattern);
  REQUIRE(compiled);
  return compiled->matches(name);
}

std::string refusal(const std::string& pattern) {
  const auto compiled = NamePattern::compile(pattern);
  return compiled ? "" : compiled.error().message;
}

}  // namespace

TEST_CASE("a pattern is found anywhere in a name") {
  CHECK(matches("rain", "train"));
  CHECK(matches("", "anything"));
  CHECK(matches("^tra[a-z]n$", "train"));
  CHECK_FALSE(matches("^rain", "train"));
  CHECK(matches(R"(step\d{3}$)", "step012"));
  CHECK(matches("train|eval", "eval"));
  CHECK_FALSE(matches("Train", "train"));
}

TEST_CASE("what is no regular expression is refused with a reason") {
  CHECK(refusal("(") == "'(' is not a valid regular expression: missing ): (");
  CHECK(refusal("[z-a]").find("is not a valid regular expression") != std::string::npos);
  CHECK_FALSE(refusal("*").empty());
  CHECK_FALSE(refusal(R"((a)\1)").empty());  // back references
  CHECK(refusal("(?!eval)").find("invalid perl operator: (?!") != std::string::npos);
  CHECK_FALSE(refusal("\xff").empty());
}

TEST_CASE("patterns that explode are refused or run in no time") {
  CHECK_FALSE(refusal("((a{100}){100}){100}").empty());
  CHECK(refusal("a{1001}").find("invalid repetition size: {1001}") != std::string::npos);
  CHECK_FALSE(refusal(std::string(1 << 20, 'a')).empty());
  const std::string name(1 << 20, 'a');
  CHECK_FALSE(matches("(a*)*b", name));
  CHECK_FALSE(matches("(a|aa)+$", name + "!"));
  CHECK(matches("a{500}$", name));
  std::string nested = "a";
  for (int i = 0; i < 100; ++i) nested = "(" + nested + ")*";
  CHECK(matches(nested, name));
}

TEST_CASE("names are characters, and may be no UTF-8 at all") {
  CHECK(matches("^.$", "\xc3\xa9"));
  CHECK(matches("b$",
                "\xff\xfe"
                "b"));
  CHECK_FALSE(matches("^.$", "\xff"));
}

}  // namespace tideline
