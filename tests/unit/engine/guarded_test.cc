// A look at something that crashes, hangs or ends must leave this process as it was.
#include "app/engine/guarded.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>

namespace tideline::app {
namespace {

using namespace std::chrono_literals;
using State = CheckedPart::State;

TEST_CASE("What a guarded look finds comes back whole") {
  const CheckedPart found = guarded("thing", 10s, [] {
    CheckedPart made = {"another name", State::kAbsent, "says\n\x1b[31m", {{"b", "2"}, {"a", ""}}};
    made.facts.emplace_back("long", std::string(200000, 'x'));  // more than a pipe holds
    return made;
  });
  CHECK(found.name == "thing");
  CHECK(found.state == State::kAbsent);
  CHECK(found.says == "says\n\x1b[31m");
  REQUIRE(found.facts.size() == 3);
  CHECK(found.facts[0] == std::pair<std::string, std::string>("b", "2"));
  CHECK(found.facts[1] == std::pair<std::string, std::string>("a", ""));
  CHECK(found.facts[2].second == std::string(200000, 'x'));
}

TEST_CASE("A guarded look that crashes is a problem that says so") {
  // No handler, of a sanitizer for example, sees this signal.
  const CheckedPart found = guarded("driver", 10s, []() -> CheckedPart {
    ::raise(SIGKILL);
    return {};
  });
  CHECK(found.name == "driver");
  CHECK(found.state == State::kProblem);
  CHECK(found.says == "crashes: Killed");
}

TEST_CASE("A guarded look that exits is a problem") {
  const CheckedPart found = guarded("driver", 10s, []() -> CheckedPart { ::_exit(0); });
  CHECK(found.state == State::kProblem);
  CHECK(found.says == "ends without an answer");
}

TEST_CASE("A guarded look that hangs ends with the patience, and so does what it started") {
  const auto started = std::chrono::steady_clock::now();
  const CheckedPart found = guarded("driver", 200ms, []() -> CheckedPart {
    if (::fork() >= 0) {
      while (true) ::pause();
    }
    return {};
  });
  CHECK(found.state == State::kProblem);
  CHECK(found.says == "gives no answer within 0.2 s");
  CHECK(std::chrono::steady_clock::now() - started < 10s);
}

}  // namespace
}  // namespace tideline::app
