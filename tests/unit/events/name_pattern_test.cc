#include "core/events/name_pattern.h"

#include <catch2/catch.hpp>

namespace tideline::events {
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
  CHECK(refusal("(").find("'(' is not a valid regular expression: ") == 0);
  CHECK(refusal("[z-a]").find("is not a valid regular expression") != std::string::npos);
  CHECK_FALSE(refusal("*").empty());
  CHECK_FALSE(refusal(R"((a)\1)").empty());  // back references
  CHECK(refusal(std::string(201, 'a')) == "a pattern of 201 bytes; expected at most 200");
}

TEST_CASE("patterns that explode are refused or run in no time") {
  CHECK(refusal("((a{50}){50}){50}") ==
        "'((a{50}){50}){50}': expected counts whose product is at most 1000");
  CHECK_FALSE(refusal("a{99999999999999999999}").empty());
  CHECK_FALSE(matches("(a*)*b", std::string(1000, 'a')));
  CHECK_FALSE(matches("(a|aa)+$", std::string(1000, 'a') + "!"));
  std::string nested = "a";
  while (nested.size() + 3 <= NamePattern::kMaxPattern) nested = "(" + nested + ")*";
  CHECK(matches(nested, std::string(1 << 20, 'a')));
}

}  // namespace tideline::events
