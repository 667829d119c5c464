// What is asked of a session while its file is still being read, and right after.
#include <algorithm>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::one_picture;
using test::Reply;
using test::Server;

}  // namespace

TEST_CASE("What is asked straight after opening waits for the file", "[routes]") {
  Server server;
  const auto open = [&](const char* name, const json& resume = nullptr) {
    const std::string path = (test::kSource / "assets/samples" / name).string();
    const Reply reply = server.post("sessions", {{"source", {{"path", path}}}, {"resume", resume}});
    REQUIRE(reply.status == 201);
    server.id = reply.json()["id"];
    return "sessions/" + server.id;
  };
  const std::string graph = "tutorial_mnist.meta";
  for (const std::string door :
       {"/picture?view=levels&w=800&h=300", "/picture?view=memory&w=800&h=300",
        "/picture?view=levels&w=800&h=300&format=svg", "/hit?view=levels&w=800&h=300&x=9&y=9",
        "/rows?table=search&filter=conv", "/rows?table=scopes", "/rows?table=swaps",
        "/picture?view=levels&w=800&h=300&wait_ms=20000"}) {
    INFO(door);
    const Reply reply = server.get(open(graph.c_str()) + door);
    INFO(reply.body.substr(0, 300));
    CHECK(reply.status == 200);
  }
  for (const json& wish :
       {json({{"kind", "svg"}, {"view", "levels"}, {"w", 800}, {"h", 300}}),
        json({{"kind", "graph"}}), json({{"kind", "graph"}, {"wait_ms", 20'000}})}) {
    const Reply reply = server.post(open(graph.c_str()) + "/files", wish);
    INFO(reply.body);
    CHECK(reply.status == 201);
  }
  // An act does what it is asked once the file is there, and draws that.
  open(graph.c_str());
  const json acted =
      server
          .act({{"view", {{"first", 10}, {"span", 20}}},
                {"do", lines({{"policy.mode", "lms2"}, {"select.op", "conv1/Relu"}})},
                {"wait_ms", 20'000},
                {"pictures", {one_picture(), one_picture("memory")}}})
          .json();
  INFO(acted.dump().substr(0, 300));
  CHECK(acted["graph"]["swaps"] > 0);
  CHECK(acted["selected"]["op"] == "conv1/Relu");
  CHECK(acted["view"]["first"] == 10);
  CHECK(acted["pictures"][0].is_object());
  CHECK(acted["pictures"][1].is_object());
  // A session that is opened again has its policy by then.
  const std::string again = open(graph.c_str(), acted["resume"]);
  CHECK(server.get(again + "/rows?table=swaps").status == 200);
  CHECK(server.state()["graph"]["swaps"] == acted["graph"]["swaps"]);
  for (const char* wrong : {"x", "-1", "1e3", "99999999999999999999"}) {
    CHECK(server.get(again + "/rows?table=swaps&wait_ms=" + wrong).status == 422);
  }
}

TEST_CASE("The state and the table of a file with swaps have them without a policy", "[routes]") {
  const auto cases = test::kSource / "tests/golden/cases";
  Server server({}, cases);
  const std::string path = (cases / "gpu_swaps.pbtxt").string();
  const Reply opened = server.post("sessions", {{"source", {{"path", path}}}, {"resume", nullptr}});
  REQUIRE(opened.status == 201);
  server.id = opened.json()["id"];
  const json table = server.get("sessions/" + server.id + "/rows?table=swaps").json();
  REQUIRE(table["total"] == 2);
  CHECK(table["rows"][0]["in_file"] == true);
  const json state = server.state();
  CHECK(state["graph"]["copies_in_file"] == 4);
  CHECK(state["graph"]["swaps"] == 2);
  const auto& result = state["result"]["lines"];
  CHECK(std::any_of(result.begin(), result.end(), [](const json& line) {
    return line["name"] == "copies-in-file" && line["text"] == "4 copies are in this file";
  }));
}

}  // namespace tideline
