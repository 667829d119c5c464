// What a page learns of the place under the mouse.
#include <fmt/format.h>

#include <set>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::Server;

// The answer for a place of a view of 800 x 300 pixels.
json hit_at(Server& server, std::string_view view, int x, int y) {
  return server
      .get(fmt::format("sessions/{}/hit?view={}&w=800&h=300&x={}&y={}", server.id, view, x, y))
      .json();
}

}  // namespace

TEST_CASE("What is under the mouse is told in the words of the app", "[routes]") {
  Server server;
  server.open();
  std::set<std::string> kinds;
  for (int x = 5; x < 800; x += 15) {
    for (int y = 5; y < 300; y += 15) {
      const json hit = hit_at(server, "levels", x, y);
      kinds.insert(hit["kind"].get<std::string>());
      if (hit["kind"] == "op") CHECK_FALSE(hit["lines"].empty());
    }
  }
  CHECK(kinds.contains("op"));
  CHECK(kinds.contains("nothing"));
  const json memory = hit_at(server, "memory", 400, 150);
  CHECK(memory["level"].is_number());
  CHECK_FALSE(memory["lines"].empty());
}

TEST_CASE("A page finds the scope under the mouse, and opens it", "[routes]") {
  Server server;
  server.open();
  // Names and kinds of all that is found at some places of the view.
  const auto found = [&] {
    std::set<std::string> all;
    for (int x = 10; x < 800; x += 30) {
      for (int y = 10; y < 300; y += 10) {
        const json hit = hit_at(server, "scopes", x, y);
        if (hit["kind"] == "scope") all.insert(hit["scope"].get<std::string>());
        if (hit["kind"] == "op") all.insert(hit["tensor"].get<std::string>());
      }
    }
    return all;
  };
  CHECK(found().contains("conv1"));
  CHECK_FALSE(found().contains("conv1/Relu:0"));
  server.act({{"do", lines({{"scope.toggle", "conv1"}})}, {"wait_ms", 20'000}});
  CHECK(found().contains("conv1/Relu:0"));
  const json picture =
      server.get("sessions/" + server.id + "/picture?view=scopes&w=800&h=300").json();
  CHECK(picture["schema"] == "tideline.picture/1");
  CHECK(picture["count"] == 0);  // a page moves nothing in it
}

TEST_CASE("A page finds the ways into loops and functions, and where it is", "[routes]") {
  const auto graphs = test::kSource / "tests/data/graphs";
  Server server({}, graphs);
  const auto open = [&](const char* name, const char* function) {
    const json source = {{"path", (graphs / name).string()}, {"function", function}};
    const test::Reply reply = server.post("sessions", {{"source", source}});
    REQUIRE(reply.status == 201);
    server.id = reply.json()["id"];
    return server.state()["graph"];
  };
  // What is said of the op at some places of the view.
  const auto found = [&](const std::string& op, const char* member) {
    for (int x = 10; x < 800; x += 10) {
      for (int y = 10; y < 300; y += 5) {
        const json hit = hit_at(server, "scopes", x, y);
        if (hit["kind"] == "op" && hit["tensor"] == op) return hit.value(member, json());
      }
    }
    return json("not found");
  };
  CHECK(open("tf2_controlflow.pb", "")["function"] == "");
  CHECK(found("while:0", "functions").size() == 2);
  CHECK(open("tf2_controlflow.pb", "while_body_14487")["function"] == "while_body_14487");
  CHECK(open("while_nested.meta", "")["loops"].empty());
  server.act({{"do", lines({{"scope.expand", "outer"}})}, {"wait_ms", 20'000}});
  CHECK(found("outer/LoopCond:0", "loop") == "outer/while_context");
  server.act({{"do", lines({{"scope.loop", "outer/inner/while_context"}})}, {"wait_ms", 20'000}});
  CHECK(server.state()["graph"]["loops"] ==
        json::array({"outer/while_context", "outer/inner/while_context"}));
  CHECK(found("outer/inner/LoopCond:0", "loop").is_null());
}

TEST_CASE("A rectangle over boxes has their levels", "[routes]") {
  Server server;
  server.open();
  const auto band = [&](int x, int y, int x2, int y2) {
    return server
        .get(fmt::format("sessions/{}/hit?view=scopes&w=800&h=300&x={}&y={}&x2={}&y2={}", server.id,
                         x, y, x2, y2))
        .json()["levels"];
  };
  const json all = band(799, 299, 0, 0);
  REQUIRE(all.size() == 2);
  CHECK(all[0] == 0);
  CHECK(all[1] > 80);
  CHECK(band(0, 0, 1, 1).is_null());
  CHECK(server.get("sessions/" + server.id + "/hit?view=scopes&w=800&h=300&x=1&y=1&x2=no&y2=1")
            .status == 422);
}

}  // namespace tideline
