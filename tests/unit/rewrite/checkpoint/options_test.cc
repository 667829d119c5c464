// Options as values of the table of rewriters.
#include "core/rewrite/checkpoint/options.h"

#include <catch2/catch.hpp>

#include "core/rewrite/checkpoint/rewriter.h"
#include "core/rewrite/policy.h"
#include "core/rewrite/policy_parameters.h"

namespace tideline {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("Backend and configuration survive the way through values", "[checkpoint_ops]") {
  const CheckpointOptions options = {"file", R"({"path": "a, b", "async": true})"};
  Values values;
  set_values(options, values);
  CHECK(options_of<CheckpointOptions>(values) == options);
  set_values(CheckpointOptions{}, values);
  CHECK(values == Values{});
}

TEST_CASE("Savers are a mode of rewrite and no policy of a step", "[checkpoint_ops]") {
  const Rewriter& rewriter = checkpoint_ops::rewriter();
  CHECK(find_rewriter("checkpoint") == &rewriter);
  CHECK_FALSE(rewriter.is_policy);
  CHECK_FALSE(rewriter.search);
  Policy policy;
  policy.rewriter = "checkpoint";
  const auto missing = validate(policy);
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.error().message, Contains("{backend} is missing"));
  REQUIRE(set_parameter(policy, "backend", "file"));
  CHECK(validate(policy));
}

TEST_CASE("The name of a backend is an identifier", "[checkpoint_ops]") {
  for (const char* name : {"file", "_x", "A9_b"}) CHECK(validate(CheckpointOptions{name, ""}));
  for (const char* name : {"9a", "a-b", "a b", "\xc3\xa4", "a.so", "../x"}) {
    const auto refused = validate(CheckpointOptions{name, ""});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kInvalidArgument);
    CHECK_THAT(refused.error().message, Contains("{backend} is '"));
  }
}

TEST_CASE("A configuration is what the ops take: a JSON object without a path",
          "[checkpoint_ops]") {
  CHECK(validate(CheckpointOptions{"file", "{\"a\": \"\\n\xc3\xa4\"}"}));
  CHECK(validate(CheckpointOptions{"file", "{}"}));
  for (const char* config : {"[", "m", "[1]", "7", R"({"path": "/data/m"})"}) {
    const auto refused = validate(CheckpointOptions{"file", config});
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, Contains("{config} is '") && Contains("without \"path\""));
  }
  CHECK_FALSE(validate(CheckpointOptions{"file", std::string("a\0b", 3)}));
  CHECK_FALSE(validate(CheckpointOptions{"file", "\xff"}));
}

}  // namespace
}  // namespace tideline
