// Requests as a page sends them, over a socket pair.
#include <filesystem>
#include <set>

#include "core/base/output_file.h"
#include "core/io/digest.h"
#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::Client;
using test::kFields;
using test::kOwn;
using test::lines;
using test::one_picture;
using test::Reply;
using test::request_text;
using test::Server;
using test::TemporaryFolder;

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("The server says what it is and what can be opened", "[routes]") {
  Server server;
  const json about = server.get("about").json();
  CHECK(about["api"] == 1);
  CHECK(about["may_write"] == true);
  CHECK(about["themes"].size() == 3);
  REQUIRE(about["views"].size() == 7);
  CHECK(about["views"][3] ==
        json({{"word", "timeline"}, {"title", "Timeline"}, {"needs_trace", true}}));
  std::set<std::string> actions;
  for (const json& action : about["actions"]) actions.insert(action["id"].get<std::string>());
  CHECK(actions.contains("policy.set"));
  CHECK_FALSE(actions.contains("file.quit"));
  CHECK_FALSE(actions.contains("checkpoint.backends"));
  const json sources = server.get("sources").json();
  CHECK(sources["graphs"].size() == 4);
  CHECK(sources["graphs"][0]["bytes"] > 1000);
  CHECK(server.get("sources?folder=/etc").status == 422);
  CHECK(server.get("sources?folder=" + (test::kSource / "assets/samples/..").string()).status ==
        422);
}

TEST_CASE("A session is opened, changed, looked at and closed", "[routes]") {
  Server server;
  server.open();
  const Reply reply = server.act(
      {{"do", lines({{"policy.mode", "lms2"}, {"policy.set", "swapout-threshold", "3"}})},
       {"wait_ms", 20'000},
       {"pictures", {one_picture(), one_picture("memory")}}});
  REQUIRE(reply.status == 200);
  const json state = reply.json();
  CHECK(state["stale"] == false);
  CHECK(state["graph"]["traced"] == nullptr);
  CHECK(state["graph"]["swaps"] == 12);
  CHECK(state["undo"] == "swapout-threshold 23 -> 3");
  CHECK(state["unwritten"] == true);
  REQUIRE(state["pictures"].size() == 2);
  CHECK(state["pictures"][0]["schema"] == "tideline.picture/1");
  CHECK(state["pictures"][0]["list"].size() > 50);
  CHECK_FALSE(state["controls"].empty());
  const std::string session = "sessions/" + server.id;
  CHECK(state["busy"] == false);
  CHECK(server.get(session + "/picture?view=levels&w=800&h=300&font=15").json()["list"] ==
        state["pictures"][0]["list"]);
  CHECK(
      server.get(session + "/picture?view=memory&w=800&h=300&format=svg").body.starts_with("<svg"));
  CHECK(server.get(session + "/rows?table=swaps&count=2").json()["total"] == 12);
  CHECK(server.get(session + "/rows?table=swaps&count=2").json()["rows"].size() == 2);
  CHECK(server.act({{"do", lines({{"edit.undo"}})}, {"wait_ms", 20'000}}).json()["redo"] ==
        "swapout-threshold 23 -> 3");
  CHECK(server.client.ask(request_text("DELETE /api/v1/" + session, kFields)).status == 204);
  const Reply gone = server.get(session + "/state");
  CHECK(gone.status == 404);
  CHECK(gone.code() == "no_session");
  CHECK(server.client.ask(request_text("DELETE /api/v1/" + session, kFields)).status == 404);
}

TEST_CASE("The first action that fails is the last, and its message is that of scripts",
          "[routes]") {
  Server server;
  server.open();
  const Reply reply = server.act({{"do",
                                   {{"policy.mode", "lms2"},
                                    {"policy.set", "swapout-threshold", "x"},
                                    {"policy.mode", "off"}}}});
  CHECK(reply.status == 422);
  CHECK(reply.code() == "invalid_argument");
  CHECK(reply.json()["error"]["message"].get<std::string>().starts_with("policy.set: "));
  CHECK(reply.json()["state"]["resume"][0] == json({"policy.mode", "lms2"}));
}

TEST_CASE("A drag of a slider is one step of undo", "[routes]") {
  Server server;
  server.open();
  server.act({{"do", lines({{"policy.mode", "lms2"}})}});
  for (int value = 5; value < 9; ++value) {
    server.act({{"do", lines({{"policy.set", "swapin-ahead", std::to_string(value)}})},
                {"gesture_end", value == 8}});
  }
  server.act({{"do", lines({{"policy.set", "swapin-ahead", "9"}})}});
  CHECK(server.act({{"do", lines({{"edit.undo"}})}})
            .json()["undo"]
            .get<std::string>()
            .ends_with("-> 8"));
  CHECK_FALSE(server.act({{"do", lines({{"edit.undo"}})}})
                  .json()["undo"]
                  .get<std::string>()
                  .ends_with("-> 7"));
}

TEST_CASE("The view travels with every act", "[routes]") {
  Server server;
  server.open();
  const json view = {{"first", 10},
                     {"span", 20},
                     {"theme", "light"},
                     {"font", 12},
                     {"detail", 0.25},
                     {"search", "conv"},
                     {"row_zoom", 2},
                     {"cursor", 12.5},
                     {"show_candidates", false},
                     {"popup", "keys"},
                     {"tab", "levels"},
                     {"swap_sort", 1},
                     {"levels_color", "type"},
                     {"scopes_color", "memory"}};
  const json state = server.act({{"view", view}, {"pictures", {one_picture()}}}).json();
  for (const auto& [name, value] : view.items()) {
    INFO(name);
    CHECK(state["view"][name] == value);
  }
  CHECK(state["pictures"][0]["first"].get<double>() == Approx(10).margin(0.1));
  // Beyond the ends is at the ends.
  const json far = server.act({{"view", {{"first", 1000}, {"span", 20}}}}).json();
  CHECK(far["view"]["first"] == 94 - 20);
  for (const json& wrong :
       {json({{"nothing", 1}}), json({{"theme", "neon"}}), json({{"first", "x"}}),
        json({{"span", nullptr}}), json({{"font", 1000}}), json({{"device", 7}}),
        json({{"levels_color", "neon"}}), json({{"scopes_color", 3}}),
        json({{"open_scopes", {-1}}}), json(3), json({{"search", std::string(201, 'x')}}),
        json({{"row_zoom", 0}})}) {
    INFO(wrong.dump());
    const Reply reply = server.act({{"view", wrong}});
    CHECK(reply.status == 422);
    CHECK(reply.json()["state"]["view"] == far["view"]);
  }
  // The message says what is expected.
  for (const auto& [member, expected] : std::vector<std::pair<std::string, std::string>>{
           {"tab", "levels, memory, scopes, timeline, diff, fit or tried"},
           {"theme", "dark, light or color-blind-safe"},
           {"font", "a number from 8 to 48"},
           {"swap_sort", "the number of a column, from 0 to 7"},
           {"show_original", "true or false"},
           {"search", "a text of at most 200 bytes"}}) {
    const json error = server.act({{"view", {{member, json::array()}}}}).json()["error"];
    CHECK(error["message"] == "view: " + member + " has a wrong value; expected " + expected);
  }
}

TEST_CASE("Tables come in pieces of at most 500 rows", "[routes]") {
  Server server;
  server.open();
  server.act(
      {{"do", lines({{"policy.mode", "lms2"}, {"select.op", "conv1/Relu"}})}, {"wait_ms", 20'000}});
  const auto rows = [&](const std::string& query) {
    return server.get("sessions/" + server.id + "/rows?" + query);
  };
  CHECK(rows("table=search&filter=conv&count=500").json()["rows"].size() == 106);
  CHECK(rows("table=search&filter=conv&first=100").json()["rows"].size() == 6);
  CHECK(rows("table=search&filter=conv&first=1000").json()["rows"].empty());
  CHECK(rows("table=level&level=5").json()["rows"][0]["op"] == "pool1/MaxPool");
  CHECK(rows("table=live").json()["total"] > 10);
  CHECK(rows("table=scopes&count=3").json()["rows"].size() == 3);
  CHECK(rows("table=attributes").json()["total"] > 0);
  const json up = rows("table=swaps&sort=out_level").json()["rows"];
  const json down = rows("table=swaps&sort=-out_level").json()["rows"];
  REQUIRE_FALSE(up.empty());
  CHECK(up[0]["out_level"] == down[down.size() - 1]["out_level"]);
  const json moved = up[0];
  CHECK(moved["own_ahead"] == 0);
  CHECK(moved["slack_levels"].get<int>() > 0);
  server.act({{"do", {{"tensor.ahead", moved["tensor"], "13"}}}, {"wait_ms", 20'000}});
  const json after = rows("table=swaps&sort=user").json()["rows"];
  CHECK(after[0]["tensor"] == moved["tensor"]);
  CHECK(after[0]["own_ahead"] == 13);
  CHECK(after[0]["slack_levels"].get<int>() >= 13);
  for (const char* wrong : {"table=nothing", "", "table=swaps&count=501", "table=swaps&first=x",
                            "table=swaps&sort=color"}) {
    INFO(wrong);
    CHECK(rows(wrong).status == 422);
  }
  CHECK(rows("table=search&filter=" + std::string(201, 'x')).status == 422);
}

TEST_CASE("Files are written by name where that is allowed, and replaced when asked twice",
          "[routes]") {
  Server server;
  server.open();
  server.act({{"do", lines({{"policy.mode", "lms2"}})}});
  const Reply written =
      server.act({{"do", lines({{"file.write", "out.pb"}})}, {"wait_ms", 20'000}});
  CHECK(written.status == 200);
  CHECK(fs::exists(server.folder.file("out.pb")));
  const Reply exists = server.act({{"do", lines({{"file.write", "out.pb"}})}});
  CHECK(exists.status == 409);
  CHECK(exists.code() == "exists");
  CHECK(server.act({{"do", lines({{"file.write", "out.pb", "force"}})}, {"wait_ms", 20'000}})
            .status == 200);
  for (const char* name : {"../out.pb", "/etc/out.pb", "a/out.pb", ".out.pb", ""}) {
    INFO(name);
    CHECK(server.act({{"do", lines({{"file.write", name}})}}).status == 422);
  }
  // A link in the folder is replaced, not followed.
  const TemporaryFolder other;
  REQUIRE(write_file(other.file("mine.pb"), "mine", false));
  fs::create_symlink(other.file("mine.pb"), server.folder.file("link.pb"));
  CHECK(server.act({{"do", lines({{"file.write", "link.pb"}})}}).status == 409);
  server.act({{"do", lines({{"file.write", "link.pb", "force"}})}, {"wait_ms", 20'000}});
  CHECK(test::content_of(other.file("mine.pb")) == "mine");
}

TEST_CASE("A download has the bytes that writing gives, and is there once", "[routes]") {
  Server server;
  server.open();
  server.act(
      {{"do", lines({{"policy.mode", "lms2"}, {"file.write", "out.meta"}})}, {"wait_ms", 20'000}});
  const Reply made = server.post("sessions/" + server.id + "/files", {{"kind", "graph"}});
  REQUIRE(made.status == 201);
  CHECK(made.json()["name"] == "tutorial_mnist_lms.meta");
  const std::string path = "GET /api/v1/files/" + made.json()["file"].get<std::string>();
  const Reply file = server.client.ask(request_text(path, kOwn));
  CHECK(file.status == 200);
  CHECK(file.body == test::content_of(server.folder.file("out.meta")));
  CHECK(file.fields.at("Content-Disposition") ==
        "attachment; filename=\"tutorial_mnist_lms.meta\"");
  CHECK(file.fields.at("Content-Type") == "application/octet-stream");
  CHECK(server.client.ask(request_text(path, kOwn)).status == 404);
  CHECK(server.client.ask(request_text(path, "Host: example.org\r\n")).status == 421);
  CHECK_FALSE(server.state()["unwritten"].get<bool>());
  for (const char* kind : {"log", "csv", "plan"}) {
    INFO(kind);
    const Reply other = server.post("sessions/" + server.id + "/files", {{"kind", kind}});
    INFO(other.body);
    CHECK(other.status == 201);
    CHECK(other.json()["bytes"] > 100);
  }
  json svg = one_picture();
  svg["kind"] = "svg";
  CHECK(server.post("sessions/" + server.id + "/files", svg).status == 201);
  for (const json& wrong :
       {json({{"kind", "secret"}}), json::object(), json({{"kind", "graph"}, {"format", "../x"}}),
        json({{"kind", "svg"}})}) {
    CHECK(server.post("sessions/" + server.id + "/files", wrong).status == 422);
  }
}

TEST_CASE("An upload is opened under its name", "[routes]") {
  Server server;
  const std::string bytes = test::content_of(test::tutorial());
  const Reply upload = server.client.ask(
      request_text("POST /api/v1/uploads?name=..%2Fmy%20graph.meta", kFields, bytes));
  REQUIRE(upload.status == 201);
  CHECK(upload.json()["bytes"] == bytes.size());
  CHECK(upload.json()["sha256"] == io::sha256_hex(bytes));
  const Reply opened = server.post("sessions", {{"source", {{"upload", upload.json()["upload"]}}}});
  REQUIRE(opened.status == 201);
  server.id = opened.json()["id"];
  const json state = server.state();
  CHECK(state["graph"]["title"] == "my graph.meta");
  CHECK(state["graph"]["ops"] == 377);
  CHECK(state.dump().find("/proc/") == std::string::npos);
  CHECK(server.act({{"do", lines({{"file.reload"}})}, {"wait_ms", 20'000}}).status == 200);
  // Another session may open it, too.
  CHECK(server.post("sessions", {{"source", {{"upload", upload.json()["upload"]}}}}).status == 201);
  CHECK(server.post("sessions", {{"source", {{"upload", "nothing"}}}}).status == 422);
  CHECK(server.post("sessions", {{"source", {{"path", "/proc/self/fd/0"}}}}).status == 422);
}

TEST_CASE("A session takes up the wish of one that is gone", "[routes]") {
  Server server;
  server.open();
  const json before = server
                          .act({{"do",
                                 {{"policy.mode", "lms2"},
                                  {"policy.set", "swapin-ahead", "7"},
                                  {"tensor.keep", "conv1/Relu:0"}}},
                                {"wait_ms", 20'000}})
                          .json();
  server.open("tutorial_mnist.meta", before["resume"]);
  const json after = server.state();
  CHECK(after["resume"] == before["resume"]);
  CHECK(after["graph"]["swaps"] == before["graph"]["swaps"]);
  for (const json& wrong : {lines({{"file.write", "x.pb"}}), lines({{"nothing"}}),
                            lines({{"file.quit"}}), json(1), json({{1}})}) {
    INFO(wrong.dump());
    CHECK(server.post("sessions", {{"source", {{"path", test::tutorial()}}}, {"resume", wrong}})
              .status == 422);
  }
}

TEST_CASE("A state is there at once when it is newer, and else after the wait", "[routes]") {
  using namespace std::chrono_literals;
  Server server;
  server.open();
  const json state = server.state();
  const auto begin = std::chrono::steady_clock::now();
  CHECK(server.get("sessions/" + server.id + "/state?since=0&wait=20000").status == 200);
  CHECK(std::chrono::steady_clock::now() - begin < 15s);
  const auto later = std::chrono::steady_clock::now();
  const std::string since = std::to_string(state["revision"].get<int>());
  CHECK(server.get("sessions/" + server.id + "/state?since=" + since + "&wait=50").status == 200);
  CHECK(std::chrono::steady_clock::now() - later >= 50ms);
  CHECK(server.get("sessions/" + server.id + "/state?since=x").status == 422);
  // Somebody else's change ends the wait.
  std::jthread other([&] {
    Client client(server.routes);
    std::this_thread::sleep_for(30ms);
    client.ask(request_text("POST /api/v1/sessions/" + server.id + "/act", kFields,
                            R"({"do": [["policy.mode", "lms2"]]})"));
  });
  const auto third = std::chrono::steady_clock::now();
  const json changed =
      server.get("sessions/" + server.id + "/state?since=" + since + "&wait=20000").json();
  CHECK(changed["revision"] > state["revision"]);
  CHECK(std::chrono::steady_clock::now() - third < 15s);
}

TEST_CASE("The end of the server ends every wait", "[routes]") {
  using namespace std::chrono_literals;
  Server server;
  server.open();
  std::jthread ending([&] {
    std::this_thread::sleep_for(30ms);
    server.routes.end();
  });
  const auto begin = std::chrono::steady_clock::now();
  CHECK(server.get("sessions/" + server.id + "/state?since=999999&wait=30000").status == 200);
  CHECK(std::chrono::steady_clock::now() - begin < 15s);
  CHECK(server.post("sessions", {{"source", {{"path", test::tutorial()}}}}).status == 429);
}

}  // namespace tideline
