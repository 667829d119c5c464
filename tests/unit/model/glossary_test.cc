#include "render/model/glossary.h"

#include <catch2/catch.hpp>

namespace tideline::ui {
namespace {

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (const GlossaryEntry* entry : terms_in(text, 5)) words.push_back(entry->word);
  return words;
}

}  // namespace

TEST_CASE("The glossary of the repository is part of the program", "[glossary]") {
  REQUIRE(glossary().size() > 100);
  for (const GlossaryEntry& entry : glossary()) {
    INFO(entry.word);
    CHECK_FALSE(entry.word.empty());
    CHECK(entry.meaning.size() > 10);
    CHECK(entry.meaning.find('|') == std::string::npos);
  }
}

TEST_CASE("Rows with several words have an entry for each", "[glossary]") {
  const auto entries = parse_glossary(
      "# Glossary\n\n| word | unit | meaning |\n|---|---|---|\n"
      "| producer, consumer | | The op that computes a `tensor`. |\n"
      "| edges (of `inspect`) | pairs | Sum of *all*. |\n| broken |\n");
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].word == "producer");
  CHECK(entries[1].word == "consumer");
  CHECK(entries[1].meaning == "The op that computes a tensor.");
  CHECK(entries[2].word == "edges");
  CHECK(entries[2].unit == "pairs");
}

TEST_CASE("Level comes first, plurals are terms, parts of words are none", "[glossary]") {
  CHECK(words_in("277 ops, 94 levels") == std::vector<std::string>{"level", "op"});
  CHECK(words_in("Swap-out").size() == 1);
  CHECK(words_in("revelled optional").empty());
  CHECK(words_in("batch size") == std::vector<std::string>{"batch size"});
  CHECK(explained("level 12").starts_with("level (index from 0): Length of the longest chain"));
  CHECK(explained("nothing of ours").empty());
}

}  // namespace tideline::ui
