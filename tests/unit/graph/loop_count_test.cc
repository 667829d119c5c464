#include "core/graph/loop_count.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("rounds are given as LOOP=N") {
  const auto given = parse_given_rounds("rnn/while=40");
  REQUIRE(given);
  CHECK(given->name == "rnn/while");
  CHECK(given->count == 40);
  CHECK(parse_given_rounds("a=b=3")->name == "a=b");
  for (const char* wrong : {"", "rnn", "rnn=", "=4", "rnn=0", "rnn=-1", "rnn=4x", "rnn=1.5",
                            "rnn=1000000001", "rnn=99999999999999999999"}) {
    INFO(wrong);
    const auto refused = parse_given_rounds(wrong);
    REQUIRE(!refused);
    CHECK(refused.error().message.find("LOOP=N") != std::string::npos);
  }
}

TEST_CASE("a frame is found by its name with or without while_context; the last rounds count") {
  CHECK(names_loop("rnn/while", "rnn/while/while_context"));
  CHECK(names_loop("rnn/while/while_context", "rnn/while/while_context"));
  CHECK(!names_loop("rnn", "rnn/while/while_context"));
  CHECK(names_loop("while", "while"));
  const std::vector<GivenRounds> given = {{"a", 1}, {"b", 2}, {"a", 3}};
  REQUIRE(find_rounds(given, "a") != nullptr);
  CHECK(find_rounds(given, "a")->count == 3);
  CHECK(find_rounds(given, "c") == nullptr);
}

}  // namespace tideline
