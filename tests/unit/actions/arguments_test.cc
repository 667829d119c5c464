#include "app/actions/arguments.h"

#include <array>
#include <catch2/catch.hpp>

namespace tideline {
namespace {

using app::Arguments;
using app::parse_arguments;

using Words = std::vector<std::string>;

std::string error_of(const Result<Arguments>& parsed) {
  REQUIRE_FALSE(parsed);
  return parsed.error().message;
}

}  // namespace

TEST_CASE("Words become values of the kinds that are described", "[session]") {
  const std::array specs = {app::text("NAME"), app::whole("N", 1, "an integer of at least 1"),
                            app::decimal("X", 0, 1, "a number from 0 to 1"), app::on_off(),
                            app::optional(app::word("red|green"))};
  CHECK(app::usage_text(specs) == "NAME N X on|off [red|green]");
  CHECK(app::required_count(specs) == 4);
  const auto parsed = parse_arguments(specs, Words{"a b", "3", "0.5", "on", "green"});
  REQUIRE(parsed);
  CHECK(parsed->text(0) == "a b");
  CHECK(parsed->whole(1) == 3);
  CHECK(parsed->decimal(2) == 0.5);
  CHECK(parsed->is_on(3));
  CHECK(parsed->text(4) == "green");
  const auto shorter = parse_arguments(specs, Words{"", "1", "1", "off"});
  REQUIRE(shorter);
  CHECK(shorter->size() == 4);
  CHECK_FALSE(shorter->is_on(3));
}

TEST_CASE("Invalid values are refused, saying what was expected", "[session]") {
  const std::array colour = {app::word("red|green|blue")};
  CHECK(error_of(parse_arguments(colour, Words{"neon"})) ==
        "invalid value 'neon'; expected red, green or blue");
  const std::array force = {app::text("PATH"), app::optional(app::word("force"))};
  CHECK(error_of(parse_arguments(force, Words{"a", "maybe"})) ==
        "invalid value 'maybe'; expected force, or nothing");
  const std::array share = {app::decimal("X", 0, 1, "a number from 0 to 1")};
  for (const char* word : {"2", "-0.1", "high", "nan", "1e99", ""}) {
    INFO(word);
    CHECK(error_of(parse_arguments(share, Words{word})).ends_with("a number from 0 to 1"));
  }
  const std::array number = {app::whole("N", 1, "an integer of at least 1")};
  for (const char* word : {"0", "-1", "1.5", "first"}) {
    INFO(word);
    CHECK_FALSE(parse_arguments(number, Words{word}));
  }
}

TEST_CASE("Too few and too many words are counted", "[session]") {
  const std::array two = {app::text("FACTOR"), app::optional(app::text("AT"))};
  CHECK(error_of(parse_arguments(two, Words{})) == "it has 0 arguments; expected FACTOR [AT]");
  CHECK(error_of(parse_arguments(two, Words{"1", "2", "3"})) ==
        "it has 3 arguments; expected FACTOR [AT]");
  CHECK(error_of(parse_arguments({}, Words{"x"})) == "it has 1 argument; expected none");
}

}  // namespace tideline
