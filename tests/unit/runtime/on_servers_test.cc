#include "core/runtime/on_servers.h"

#include <catch2/catch.hpp>

namespace tideline::runtime {
namespace {

// A training that fails in this way so often, and then succeeds.
struct Failing {
  Code code;
  int failures;
  int begun = 0;

  Status train(bool has_begun) {
    Progress progress;
    const auto begin = [&]() -> Status {
      if (++begun > failures) return {};
      return fail(code, "graph.pb: step 0: failed to connect");
    };
    return train_on_servers(
        std::nullopt, "", begin, [=] { return has_begun; }, progress);
  }
};

TEST_CASE("a training begins again while servers do not reach each other", "[cluster]") {
  Failing failing{Code::kUnavailable, 2};
  REQUIRE(failing.train(false));
  CHECK(failing.begun == 3);
}

TEST_CASE("a training that has done a step does not begin again", "[cluster]") {
  Failing failing{Code::kUnavailable, 1};
  const Status status = failing.train(true);
  REQUIRE_FALSE(status);
  CHECK(status.error().code == Code::kUnavailable);
  CHECK(status.error().message == "graph.pb: step 0: failed to connect");
  CHECK(failing.begun == 1);
}

TEST_CASE("what does not pass ends a training at once", "[cluster]") {
  for (const Code code : {Code::kInvalidArgument, Code::kCancelled, Code::kIo}) {
    Failing failing{code, 1};
    CHECK(failing.train(false).error().code == code);
    CHECK(failing.begun == 1);
  }
}

}  // namespace
}  // namespace tideline::runtime
