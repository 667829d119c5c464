// What a page may type into the fields of the policy.
#include <catch2/catch.hpp>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using namespace test;

json control(const json& state, std::string_view name) {
  for (const json& entry : state["controls"]) {
    if (entry["name"] == name) return entry;
  }
  return {};
}

json state_after(Server& server, const std::vector<std::vector<std::string>>& words) {
  const Reply reply = server.act({{"do", words}, {"wait_ms", 20'000}});
  CHECK(reply.status == 200);
  return reply.json();
}

}  // namespace

TEST_CASE("A page types 4g and 60 % into the budget, and 60%% is refused", "[routes]") {
  Server server;
  server.open();
  const auto budget_of = [&](const char* text) {
    const json state = state_after(server, {{"policy.set", "device-memory", text}});
    return control(state, "device-memory")["value"].get<std::string>();
  };
  CHECK(budget_of("4g") == "4GiB");
  CHECK(budget_of("168 mib") == "168MiB");
  const std::string half = budget_of("50 %");
  CHECK(half != "168MiB");
  CHECK(std::stoll(budget_of("60%")) > std::stoll(half));
  const Reply refused = server.act({{"do", {{"policy.set", "device-memory", "60%%"}}}});
  CHECK(refused.status == 422);
  CHECK(refused.body.find("a share of the peak without a plan such as 60 %") != std::string::npos);
}

TEST_CASE("A page is told that an open batch is assumed", "[routes]") {
  Server server;
  server.open();
  const json open = control(state_after(server, {{"policy.mode", "off"}}), "batch-size");
  CHECK(open["shown"] == "open, 1 assumed");
  CHECK(open["assumed"] == true);
  const json given = control(state_after(server, {{"graph.batch-size", "64"}}), "batch-size");
  CHECK(given["shown"] == "64");
  CHECK(given["assumed"] == false);
}

}  // namespace tideline
