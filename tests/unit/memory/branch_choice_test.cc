#include "core/memory/branch_choice.h"

#include <catch2/catch.hpp>

namespace tideline {

TEST_CASE("a given branch is a name and what its predicate is") {
  CHECK(parse_given_branch("cond=true") == GivenBranch{"cond", true});
  CHECK(parse_given_branch("a=b/cond=false") == GivenBranch{"a=b/cond", false});
  CHECK(given_branch_text({"cond", false}) == "cond=false");
  CHECK(given_branches_text({{"cond", true}, {"cond_1", false}}) == "cond=true,cond_1=false");
  CHECK(given_branches_text({}).empty());
}

TEST_CASE("other text is no given branch") {
  for (const char* text : {"", "cond", "cond=", "=true", "cond=yes", "cond=True", "cond:true"}) {
    INFO(text);
    CHECK(!parse_given_branch(text));
  }
  CHECK(parse_given_branch("cond=1").error().message ==
        "expected NAME=true or NAME=false, with the name of a conditional, not cond=1");
}

}  // namespace tideline
