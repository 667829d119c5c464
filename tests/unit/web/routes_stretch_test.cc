// Stretches of levels and of a traced step, and the timeline, as a page asks for them.
#include <fmt/format.h>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::one_picture;
using test::Reply;
using test::Server;

// With a plan, so that there are swaps.
struct Planned : Server {
  Planned() {
    open();
    act({{"do", lines({{"policy.mode", "lms2"}, {"policy.set", "swapout-threshold", "3"}})},
         {"wait_ms", 20'000}});
  }
  json rows(const std::string& table) {
    return get("sessions/" + id + "/rows?table=" + table).json();
  }
  Reply limit(const json& levels) {
    return act({{"view", {{"levels", levels}}}, {"wait_ms", 20'000}});
  }
};

// A log with three traced steps, one of which is shown.
struct Traced : Server {
  Traced() : Server({}, test::kData / "logs/tf1_mlp") {
    const json listed = get("sources").json();
    id = post("sessions", {{"source", listed["graphs"][0]}}).json()["id"];
    const json state = this->state();
    act({{"view", {{"tab", "timeline"}}},
         {"do", lines({{"measure.open", state["graph"]["traced"]["path"], ".", "step012"}})},
         {"wait_ms", 20'000}});
  }
  json ask(const std::string& what) { return get("sessions/" + id + "/" + what).json(); }
};

}  // namespace

TEST_CASE("Tables and the card of a page are limited to levels, until that is taken back",
          "[routes]") {
  Planned server;
  const json all = server.rows("swaps"), scopes = server.rows("scopes");
  const json state = server.limit({{"from", 0}, {"to", 4}, {"limit", true}}).json();
  CHECK(state["view"]["levels"] == json({{"from", 0}, {"to", 4}, {"limit", true}}));
  CHECK(state["result"]["lines"][0]["text"].get<std::string>().starts_with("levels 0 to 4: 5"));
  CHECK(state["result"]["lines"][0]["do"] == json({"levels.clear"}));
  CHECK(server.rows("swaps")["total"] < all["total"]);
  CHECK(server.rows("scopes") != scopes);
  const json live = server.rows("live");
  CHECK(live["at"] <= 4);
  CHECK(live["title"].get<std::string>().find("(the peak of levels 0 to 4)") != std::string::npos);
  const json ops = server.rows("level");
  CHECK(ops["title"] == fmt::format("Ops of levels 0 to 4: {}", ops["total"].get<int>()));
  int counted = 0;
  for (int level = 0; level <= 4; ++level) {
    counted += server.rows(fmt::format("level&level={}", level))["total"].get<int>();
  }
  CHECK(ops["total"] == counted);
  // Escape's action.
  const json cleared = server.act({{"do", lines({{"select.clear"}})}}).json();
  CHECK(cleared["view"]["levels"] == nullptr);
  CHECK(server.rows("swaps") == all);
  CHECK(server.rows("scopes") == scopes);
}

TEST_CASE("Positions of the axis of steps become levels", "[routes]") {
  Planned server;
  server.act({{"view", {{"tab", "memory"}, {"memory_axis", "step"}}}});
  const json levels =
      server.limit({{"first", 10.5}, {"last", 60.5}, {"limit", true}}).json()["view"]["levels"];
  CHECK(levels["from"] < levels["to"]);
  CHECK(levels["limit"] == true);
  for (const json& wrong : {json(3), json::object(), json({{"from", "a"}, {"to", 3}})}) {
    INFO(wrong.dump());
    CHECK(server.limit(wrong).status == 422);
  }
}

TEST_CASE("Pictures of a page show the levels that were chosen", "[routes]") {
  Planned server;
  const auto picture = [&](const char* view) {
    return server.act({{"pictures", {one_picture(view)}}}).json()["pictures"][0]["texts"].dump();
  };
  CHECK(picture("levels").find("levels 20 to 40: 21") == std::string::npos);
  server.limit({{"from", 20}, {"to", 40}, {"limit", false}});
  CHECK(picture("levels").find("levels 20 to 40: 21") != std::string::npos);
  server.act({{"view", {{"tab", "memory"}}}});
  CHECK(picture("memory").find("levels 20 to 40: 21") != std::string::npos);
}

TEST_CASE("A page finds ops in the timeline, with what clicks do", "[routes]") {
  Traced server;
  json op;
  for (int y = 20; y < 300 && op.is_null(); y += 6) {
    for (int x = 120; x < 800 && op.is_null(); x += 8) {
      const json hit = server.ask(fmt::format("hit?view=timeline&w=800&h=300&x={}&y={}", x, y));
      if (hit["kind"] == "op" && hit.contains("act")) op = hit;
    }
  }
  REQUIRE(op.is_object());
  CHECK(op["act"][0] == "select.op");
  CHECK(op["range"]["span"] >= 4);
  CHECK(op["rect"].size() == 4);
  CHECK(op["lines"][0].get<std::string>().starts_with(op["act"][1].get<std::string>()));
}

TEST_CASE("The statistics of a page are of the stretch that was chosen", "[routes]") {
  Traced server;
  const json all = server.ask("rows?table=statistics");
  CHECK(all["title"].get<std::string>().starts_with("Whole step: "));
  CHECK(all["limited"] == false);
  CHECK(all["total"] > 2);
  const json state = server.act({{"do", lines({{"timeline.select", "0.1", "0.2"}})}}).json();
  CHECK(state["view"]["stretch"]["from_us"] == 100);
  const json some = server.ask("rows?table=statistics");
  CHECK(some["title"].get<std::string>().starts_with("Stretch: 100 us from 100 us to 200 us"));
  CHECK(some["rows"] != all["rows"]);
  const json sorted = server.ask("rows?table=statistics&sort=-name");
  CHECK(sorted["rows"] != server.ask("rows?table=statistics&sort=name")["rows"]);
  CHECK(server.get("sessions/" + server.id + "/rows?table=statistics&sort=size").status == 422);
  CHECK(server.act({{"view", {{"stretch", {{"from_us", 300}, {"to_us", 150}}}}}})
            .json()["view"]["stretch"] == json({{"from_us", 150.0}, {"to_us", 300.0}}));
  CHECK(server.act({{"do", lines({{"timeline.clear"}})}}).json()["view"]["stretch"] == nullptr);
}

}  // namespace tideline
