#include "app/web/served.h"

#include <catch2/catch.hpp>
#include <thread>

#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

}  // namespace

TEST_CASE("The session that was idle longest makes room after an hour", "[served]") {
  web::Sessions sessions(2);
  const auto first = sessions.add();
  const auto second = sessions.add();
  REQUIRE((first && second));
  CHECK_FALSE(sessions.add());
  first->last_used = Clock::now() - 61min;
  second->last_used = Clock::now() - 59min;
  const auto third = sessions.add();
  REQUIRE(third);
  CHECK_FALSE(sessions.find(first->id));
  CHECK(first->signal.has_ended());
  CHECK(sessions.find(second->id) == second);
  CHECK_FALSE(sessions.add());
  // Whoever asks for a session uses it.
  second->last_used = Clock::now() - 61min;
  CHECK(sessions.find(second->id));
  CHECK_FALSE(sessions.add());
  CHECK(sessions.remove(third->id));
  CHECK_FALSE(sessions.remove(third->id));
  CHECK(sessions.add());
}

TEST_CASE("After the end there are no new sessions, and nobody waits", "[served]") {
  web::Sessions sessions(2);
  const auto served = sessions.add();
  std::jthread ending([&] { sessions.end(); });
  CHECK_FALSE(served->signal.wait(served->signal.count(), Clock::now() + 30s));
  CHECK_FALSE(sessions.add());
}

TEST_CASE("A signal is not missed between counting and waiting", "[served]") {
  web::Signal signal;
  const std::uint64_t count = signal.count();
  signal.give();
  CHECK(signal.wait(count, Clock::now() + 30s));
  CHECK_FALSE(signal.wait(signal.count(), Clock::now() + 5ms));
  std::jthread giving([&] { signal.give(); });
  CHECK(signal.wait(count + 1, Clock::now() + 30s));
}

TEST_CASE("Revisions grow with what is seen, and stay without news", "[served]") {
  web::Sessions sessions(1);
  const auto served = sessions.add();
  served->poll();
  const std::uint64_t before = served->revision;
  served->poll();
  CHECK(served->revision == before);
  test::open_tutorial(served->viewer);
  served->poll();
  CHECK(served->revision > before);
}

TEST_CASE("The paths of uploads are not shown", "[served]") {
  const auto paths = *web::AllowedPaths::make({}, "");
  web::UploadRoom room{1000};
  const auto upload = *web::Upload::create("graph.pb", *paths, room);
  const auto served = web::Sessions(1).add();
  served->uploads.push_back(upload);
  const std::string path = upload->path();
  CHECK(served->shown(path + ": no graph; expected " + path) ==
        "graph.pb: no graph; expected graph.pb");
  // Not the beginning of another number.
  CHECK(served->shown(path + "9") == path + "9");
  CHECK(served->shown("Reading " + path.substr(path.rfind('/') + 1)) == "Reading graph.pb");
  CHECK(served->shown("Reading other") == "Reading other");
}

}  // namespace tideline
