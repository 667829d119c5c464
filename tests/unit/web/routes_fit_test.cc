// The tab Fit as a page asks for it.
#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::Server;

json at_rest(Server& server) {
  json state = server.state();
  while (state["busy"] == true) state = server.state();
  return state;
}

}  // namespace

TEST_CASE("The state has what fits while that is shown", "[routes]") {
  Server server;
  server.open();
  CHECK_FALSE(server.state().contains("fit"));
  REQUIRE(server.act({{"view", {{"tab", "fit"}}}}).status == 200);
  json fit = at_rest(server)["fit"];
  CHECK(fit["card"].is_null());
  CHECK(fit["running"] == false);
  CHECK(fit["problem"].get<std::string>().find("device budget") != std::string::npos);
  const std::string picture = "sessions/" + server.id + "/picture?view=fit&w=800&h=600&font=15";
  CHECK(server.get(picture).status == 200);  // it has no more than a text
  const json set = lines({{"graph.batch-size", "64"}, {"policy.set", "device-memory", "64GiB"}});
  REQUIRE(server.act({{"do", set}, {"wait_ms", 20'000}}).status == 200);
  fit = at_rest(server)["fit"];
  REQUIRE(fit["card"].is_object());
  CHECK(fit["stale"] == false);
  CHECK(fit["problem"] == "");
  const json& card = fit["card"];
  CHECK(card["fits"] == true);
  CHECK(card["any_fits"] == true);
  CHECK(card["verdict"].get<std::string>().starts_with("batch size 64 fits 64.00 GiB: "));
  CHECK(card["largest_batch"] > 64);
  std::int64_t bytes = 0;
  for (const json& kind : card["kinds"]) bytes += kind["bytes"].get<std::int64_t>();
  CHECK(bytes > 0);
  CHECK_FALSE(card["layers"].empty());
  const json drawn = server.get(picture).json();
  CHECK(drawn["count"] == 0);
  CHECK(drawn["list"].size() > 50);
  CHECK(server.get(picture + "&format=svg").body.find("budget 64.00 GiB") != std::string::npos);
}

TEST_CASE("The mouse finds the points of the curve", "[routes]") {
  Server server;
  server.open();
  const json ask = lines({{"policy.set", "device-memory", "64GiB"}, {"graph.fit"}});
  const json state = server.act({{"do", ask}, {"wait_ms", 20'000}}).json();
  CHECK(state["view"]["tab"] == "fit");
  REQUIRE(at_rest(server)["fit"]["card"].is_object());
  const std::string at = "sessions/" + server.id + "/hit?view=fit&w=400&h=300&font=12";
  bool was_found = false;
  for (int y = 0; y < 300 && !was_found; y += 8) {
    for (int x = 0; x < 400 && !was_found; x += 8) {
      const json hit = server.get(fmt::format("{}&x={}&y={}", at, x, y)).json();
      CHECK(hit["kind"] == "nothing");
      was_found = !hit["lines"].empty() &&
                  hit["lines"][0].get<std::string>().find(", batch size ") != std::string::npos;
    }
  }
  CHECK(was_found);
  const auto refused = server.act({{"do", lines({{"graph.copy-way", "99"}})}});
  CHECK(refused.status == 422);
}

}  // namespace tideline
