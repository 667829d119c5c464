// What is asked of a session while its file is still being read, and right after.
#include <algorithm>
#include <filesystem>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::one_picture;
using test::Reply;
using test::request_text;
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

TEST_CASE("Logs and checkpoints that are sent open as what they are", "[routes]") {
  Server server;
  const auto send = [&](const std::string& name, const std::filesystem::path& file) {
    const Reply sent = server.client.ask(request_text(
        "POST /api/v1/uploads?name=" + name, test::kFields, test::content_of(file.string())));
    REQUIRE(sent.status == 201);
    return sent.json()["upload"].get<std::string>();
  };
  const auto open = [&](const json& source) {
    const Reply reply = server.post("sessions", {{"source", source}});
    INFO(reply.body);
    REQUIRE(reply.status == 201);
    server.id = reply.json()["id"];
    return server.state();
  };
  const auto data = test::kSource / "tests/data";
  const auto log_file = data / "logs/tf1_mlp/events.out.tfevents.1795247306.vm";
  // A log by its name or by what is in it, with its graphs.
  for (const char* name : {"events.out.tfevents.1.x", "renamed"}) {
    const std::string upload = send(name, log_file);
    const json state = open({{"upload", upload}});
    INFO(state.dump().substr(0, 400));
    REQUIRE(state["log"].is_object());
    CHECK(state["document"]["title"] == name);
    CHECK(state["log"]["runs"] == 1);
    CHECK(state.dump().find("/proc/") == std::string::npos);
    REQUIRE_FALSE(state["log"]["graphs"].empty());
    const json graph = state["log"]["graphs"][0];
    const json opened = open(
        {{"upload", upload}, {"run", graph["run"]}, {"tag", graph["tag"]}, {"document", "graph"}});
    REQUIRE(opened["graph"].is_object());
    CHECK(opened["graph"]["ops"] > 10);
  }
  const json checkpoint =
      open({{"upload", send("weights.npz", data / "foreign/checkpoints/npz/stored.npz")}});
  REQUIRE(checkpoint["checkpoint"].is_object());
  CHECK(checkpoint["checkpoint"]["tensors"] > 0);
  CHECK(checkpoint["document"]["title"] == "weights.npz");
  CHECK(checkpoint.dump().find("/proc/") == std::string::npos);
  REQUIRE(server.act({{"do", lines({{"checkpoint.verify"}})}, {"wait_ms", 20'000}}).status == 200);
  CHECK(server.state()["checkpoint"]["check"]["whole"] == true);
  // One of several files is not a checkpoint.
  const auto small = data / "checkpoints/small/ckpt.index";
  for (const char* name :
       {"ckpt.index", "ckpt.data-00000-of-00001", "model.safetensors.index.json"}) {
    const Reply refused = server.post("sessions", {{"source", {{"upload", send(name, small)}}}});
    CHECK(refused.status == 422);
    CHECK(refused.body.find("of several files") != std::string::npos);
  }
}

TEST_CASE("The functions of a graph are listed, and open", "[routes]") {
  const auto graphs = test::kSource / "tests/data/graphs";
  Server server({}, graphs);
  const std::string path = (graphs / "tf2_controlflow.pb").string();
  const json listed = server.get("functions?path=" + path).json();
  const auto& functions = listed["functions"];
  CHECK(listed["total"] == functions.size());
  const auto body = std::find_if(functions.begin(), functions.end(), [](const json& function) {
    return function["name"] == "while_body_14487";
  });
  REQUIRE(body != functions.end());
  CHECK((*body)["detail"].get<std::string>().ends_with(" ops"));
  // The same of a graph that was sent; its functions open, too.
  const Reply sent = server.client.ask(
      request_text("POST /api/v1/uploads?name=my.pb", test::kFields, test::content_of(path)));
  const json upload = sent.json()["upload"];
  CHECK(server.get("functions?upload=" + upload.get<std::string>()).json() == listed);
  const json source = {{"upload", upload}, {"function", "while_body_14487"}};
  const Reply opened = server.post("sessions", {{"source", source}});
  REQUIRE(opened.status == 201);
  server.id = opened.json()["id"];
  CHECK(server.state()["graph"]["function"] == "while_body_14487");
  // Nothing outside of the folder, nothing that is no graph, and messages without paths of ours.
  CHECK(server.get("functions?path=/etc/passwd").status == 422);
  CHECK(server.get("functions").status == 422);
  CHECK(server.get("functions?lesson=x").status == 422);
  const Reply bad = server.client.ask(
      request_text("POST /api/v1/uploads?name=bad.pb", test::kFields, "no graph"));
  const Reply refused = server.get("functions?upload=" + bad.json()["upload"].get<std::string>());
  CHECK(refused.status == 422);
  CHECK(refused.json()["error"]["message"].get<std::string>().starts_with("bad.pb: "));
}

}  // namespace tideline
