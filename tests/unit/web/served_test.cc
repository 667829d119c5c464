#include "app/web/served.h"

#include <catch2/catch.hpp>
#include <thread>

#include "tests/unit/session/viewer_fixture.h"

namespace tideline {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

}  // namespace

TEST_CASE("Closed tabs lock nobody out: the session that rests longest gives way", "[served]") {
  std::vector<std::string> gave_way;
  web::Sessions sessions(2, [&](const web::Served& served) { gave_way.push_back(served.id); });
  const auto first = sessions.add();
  const auto second = sessions.add();
  REQUIRE((first && second));
  first->last_used = Clock::now() - 2s;
  second->last_used = Clock::now() - 1s;
  const auto third = sessions.add();
  REQUIRE(third);
  CHECK_FALSE(sessions.find(first->id));
  CHECK(first->signal.has_ended());
  CHECK(gave_way == std::vector{first->id});
  // Whoever asks for a session uses it.
  third->last_used = Clock::now() - 1s;
  CHECK(sessions.find(second->id) == second);
  CHECK(sessions.add());
  CHECK_FALSE(sessions.find(third->id));
  for (int i = 0; i < 200; ++i) CHECK(sessions.add());
  const auto last = sessions.add();
  CHECK(sessions.remove(last->id));
  CHECK_FALSE(sessions.remove(last->id));
  CHECK(sessions.add());
}

TEST_CASE("A session that somebody waits for stays, unless its page went or hung up", "[served]") {
  int told = 0;
  web::Sessions sessions(1, [&](const web::Served&) { ++told; });
  const auto first = sessions.add();
  const web::Visits::Visit waiting(first->visits, {});
  CHECK_FALSE(sessions.add());
  CHECK(sessions.leave(first->id));
  const auto second = sessions.add();
  REQUIRE(second);
  CHECK_FALSE(sessions.find(first->id));
  CHECK(told == 0);  // its page will not come back to it
  std::atomic<bool> has_hung_up = false;
  const web::Visits::Visit visit(second->visits, [&] { return has_hung_up.load(); });
  CHECK_FALSE(sessions.add());
  has_hung_up = true;
  CHECK(sessions.add());
  CHECK_FALSE(sessions.leave("nothing"));
}

TEST_CASE("A session ends soon after its page went, unless the page comes back", "[served]") {
  web::Sessions patient(1);
  const auto again = patient.add();
  CHECK(patient.leave(again->id));
  CHECK(again->was_left);
  CHECK(patient.find(again->id));
  CHECK_FALSE(again->was_left);
  web::Sessions sessions(2, {}, 20ms);
  const auto stays = sessions.add();
  const auto left = sessions.add();
  CHECK(sessions.leave(left->id));
  CHECK_FALSE(left->signal.wait(left->signal.count(), Clock::now() + 30s));
  CHECK(left->signal.has_ended());
  CHECK_FALSE(sessions.find(left->id));
  CHECK(sessions.find(stays->id));
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
  const auto served = web::Sessions(1).add({upload});
  const std::string path = upload->path();
  CHECK(served->shown(path + ": no graph; expected " + path) ==
        "graph.pb: no graph; expected graph.pb");
  // Not the beginning of another number.
  CHECK(served->shown(path + "9") == path + "9");
  CHECK(served->shown("Reading " + path.substr(path.rfind('/') + 1)) == "Reading graph.pb");
  CHECK(served->shown("Reading other") == "Reading other");
}

}  // namespace tideline
