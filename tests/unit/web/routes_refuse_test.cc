// What is refused, over a socket pair: hosts, origins, tokens, bodies, sizes, actions.
#include "app/web/front.h"
#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::Client;
using test::kFields;
using test::kOwn;
using test::kToken;
using test::lines;
using test::one_picture;
using test::Reply;
using test::request_text;
using test::Server;

}  // namespace

TEST_CASE("The page and its files are there without a token, under their hash", "[routes]") {
  Server server;
  const Reply page = server.client.ask(request_text("GET /", kOwn));
  CHECK(page.status == 200);
  CHECK(page.fields.at("Content-Type") == "text/html; charset=utf-8");
  REQUIRE_FALSE(web::front_files().empty());
  for (const web::FrontFile& file : web::front_files()) {
    const std::string path = "GET /front/" + std::string(file.name);
    const Reply reply = server.client.ask(request_text(path, kOwn));
    INFO(file.name);
    CHECK(reply.status == 200);
    CHECK(reply.body == file.content);
    CHECK(reply.fields.at("Cache-Control") == "no-cache");
    CHECK(reply.fields.at("Content-Type") != "application/octet-stream");
    const Reply again = server.client.ask(
        request_text(path, kOwn + "If-None-Match: " + reply.fields.at("ETag") + "\r\n"));
    CHECK(again.status == 304);
    CHECK(again.body.empty());
  }
  for (const char* path :
       {"/front/", "/front/../front/main.js", "/front/%2e%2e/main.js", "/etc", "/front/main.js/",
        "/index.html", "/front//etc/passwd", "/favicon.ico"}) {
    INFO(path);
    CHECK(server.client.ask(request_text("GET " + std::string(path), kOwn)).status == 404);
  }
  CHECK(server.client.ask(request_text("POST /", kOwn, "x")).status == 404);
}

TEST_CASE("No route but the page answers without host, origin and token", "[routes]") {
  Server server;
  server.open();
  const std::string session = "sessions/" + server.id;
  const std::vector<std::string> routes = {"GET about",
                                           "GET sources",
                                           "POST sessions",
                                           "POST uploads",
                                           "GET " + session + "/state",
                                           "GET " + session + "/picture",
                                           "GET " + session + "/hit",
                                           "GET " + session + "/rows",
                                           "POST " + session + "/act",
                                           "POST " + session + "/files",
                                           "POST " + session + "/leave",
                                           "DELETE " + session,
                                           "OPTIONS sessions",
                                           "GET nothing"};
  for (const std::string& route : routes) {
    INFO(route);
    std::string line = route;
    line.insert(line.find(' ') + 1, "/api/v1/");
    const auto status = [&](const std::string& fields) {
      Client client(server.routes);
      return client.ask(request_text(line, fields, "{}")).status;
    };
    CHECK(status(kOwn) == 401);
    CHECK(status(kOwn + "Authorization: Bearer wrong\r\n") == 401);
    CHECK(status(kOwn + "Cookie: token=" + kToken + "\r\n") == 401);
    const std::string token = "Authorization: Bearer " + kToken + "\r\n";
    CHECK(status(token) == 421);
    CHECK(status(token + "Host: example.org\r\n") == 421);
    CHECK(status(kFields + "Origin: http://example.org\r\n") == 403);
    CHECK(status(kFields + "Origin: null\r\n") == 403);
    CHECK(status(kFields + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n") == 403);
  }
  CHECK(server.client.ask(request_text("GET /", "Host: example.org\r\n")).status == 421);
  CHECK(server.get("sessions/" + server.id + "/state").status == 200);
}

TEST_CASE("Bodies that are wrong are refused", "[routes]") {
  Server server;
  server.open();
  const auto status = [&](const std::string& body) {
    return server.client
        .ask(request_text("POST /api/v1/sessions/" + server.id + "/act", kFields, body))
        .status;
  };
  CHECK(status("{") == 400);
  CHECK(status("[]") == 400);
  CHECK(status("nonsense") == 400);
  CHECK(status("{\"view\":" + std::string(17, '[') + std::string(17, ']') + "}") == 400);
  CHECK(status("{\"view\":" + std::string(30'000, '[') + "}") == 400);
  CHECK(status("{\"x\":1}") == 422);
  CHECK(status("{\"do\":[[1]]}") == 422);
  CHECK(status("{\"do\":[[]]}") == 422);
  CHECK(status("{\"do\":[\"edit.undo\"]}") == 422);
  CHECK(status("{\"wait_ms\":-1}") == 422);
  CHECK(status("{\"pictures\":[1]}") == 422);
  // A bracket in a name is none.
  CHECK(status("{\"view\":{\"search\":\"" + std::string(40, '[') + "\\\"\"}}") == 200);
}

TEST_CASE("Pictures have limits", "[routes]") {
  Server server;
  server.open();
  const std::string picture = "sessions/" + server.id + "/picture?";
  CHECK(server.get(picture + "view=levels&w=8192&h=8192").status == 200);
  for (const char* wrong :
       {"view=levels&w=8193&h=100", "view=levels&w=100&h=8193", "view=levels", "w=100&h=100",
        "view=window&w=100&h=100", "view=timeline&w=100&h=100", "view=levels&w=0&h=100",
        "view=levels&w=nan&h=100", "view=levels&w=100&h=100&font=1000",
        "view=levels&w=100&h=100&theme=neon", "view=levels&w=100&h=100&first=inf",
        "view=levels&w=100&h=100&format=png"}) {
    INFO(wrong);
    CHECK(server.get(picture + wrong).status == 422);
  }
}

TEST_CASE("What runs code, ends the server or opens more is refused", "[routes]") {
  Server server;
  server.open();
  for (const char* id :
       {"file.quit", "file.open", "file.drop", "document.open", "checkpoint.backends",
        "checkpoint.convert", "log.open-graph", "file.browse"}) {
    INFO(id);
    const Reply reply = server.act({{"do", lines({{id, "/etc/passwd", "x"}})}});
    CHECK(reply.status == 422);
    CHECK(reply.code() == "unsupported");
  }
  // The same ones are not in the list from which the page makes its palette; nor is what it does
  // not show.
  const json actions = server.get("about").json()["actions"];
  for (const json& action : actions) {
    const std::string id = action["id"];
    INFO(id);
    CHECK_FALSE(id.starts_with("view.font-size"));
    CHECK(id != "file.quit");
  }
  CHECK(std::any_of(actions.begin(), actions.end(),
                    [](const json& action) { return action["id"] == "view.tab memory"; }));
  CHECK(server.act({{"do", lines({{"view.font-size", "+1"}})}}).code() == "unsupported");
  const Reply outside = server.act({{"do", lines({{"measure.open", "/etc/passwd"}})}});
  CHECK(outside.status == 422);
  CHECK(outside.code() == "not_found");
  CHECK(server.act({{"do", lines({{"profile.set", "/etc/passwd"}})}}).code() == "not_found");
}

TEST_CASE("Uploads have a limit", "[routes]") {
  web::RoutesOptions options;
  options.upload_limit = 1000;
  Server server(options);
  const auto send = [&](std::size_t bytes) {
    Client client(server.routes);
    return client.ask(
        request_text("POST /api/v1/uploads?name=a.meta", kFields, std::string(bytes, 'x')));
  };
  CHECK(send(1000).status == 201);
  CHECK(send(1001).status == 413);
  // Together they may have 2000 bytes: what nobody opened makes room for what comes.
  const std::string first = send(1000).json()["upload"];
  CHECK(send(1000).status == 201);
  CHECK(send(1000).status == 201);
  CHECK(server.post("sessions", {{"source", {{"upload", first}}}}).status == 422);
}

TEST_CASE("Uploads that no session has opened lock nobody out", "[routes]") {
  Server server;
  std::vector<std::string> ids;
  const std::string bytes = test::content_of(test::tutorial());
  for (int i = 0; i < 30; ++i) {
    const Reply sent =
        server.client.ask(request_text("POST /api/v1/uploads?name=a.meta", kFields, bytes));
    REQUIRE(sent.status == 201);
    ids.push_back(sent.json()["upload"]);
  }
  const auto status = [&](const std::string& id) {
    return server.post("sessions", {{"source", {{"upload", id}}}}).status;
  };
  CHECK(status(ids[21]) == 422);  // the newest eight wait
  CHECK(status(ids[22]) == 201);
  CHECK(status(ids[29]) == 201);
}

TEST_CASE("The upload of a session that gave way is there for the page that opens it again",
          "[routes]") {
  web::RoutesOptions options;
  options.sessions = 1;
  Server server(options);
  const std::string bytes = test::content_of(test::tutorial());
  const Reply sent =
      server.client.ask(request_text("POST /api/v1/uploads?name=a.meta", kFields, bytes));
  const json source = {{"source", {{"upload", sent.json()["upload"]}}}};
  const auto open = [&](const json& body) {
    const Reply opened = server.post("sessions", body);
    REQUIRE(opened.status == 201);
    server.id = opened.json()["id"];
    CHECK(server.state()["graph"].is_object());
  };
  open(source);
  open({{"source", {{"path", test::tutorial()}}}});
  open(source);
  // The user closed this one: its bytes are gone with it.
  server.client.ask(request_text("DELETE /api/v1/sessions/" + server.id, kFields));
  CHECK(server.post("sessions", source).status == 422);
}

TEST_CASE("Closed tabs make room for the ninth session, and its page goes on elsewhere",
          "[routes]") {
  Server server;
  const json source = {{"source", {{"path", test::tutorial()}}}};
  std::vector<std::string> ids;
  for (int i = 0; i < 30; ++i) {
    const Reply reply = server.post("sessions", source);
    REQUIRE(reply.status == 201);
    ids.push_back(reply.json()["id"]);
  }
  CHECK(server.get("sessions/" + ids.front() + "/state").code() == "no_session");
  CHECK(server.get("sessions/" + ids.back() + "/state").status == 200);
  // What a page says on going.
  CHECK(server.post("sessions/" + ids.back() + "/leave", json::object()).status == 204);
  CHECK(server.post("sessions", source).status == 201);
  CHECK(server.post("sessions/" + ids.back() + "/leave", json::object()).status == 404);
}

TEST_CASE("A file that is no graph says so, and the session has none", "[routes]") {
  Server server;
  const Reply upload =
      server.client.ask(request_text("POST /api/v1/uploads?name=x.pb", kFields, "no graph"));
  const Reply opened = server.post("sessions", {{"source", {{"upload", upload.json()["upload"]}}}});
  server.id = opened.json()["id"];
  const Reply reply = server.act({{"wait_ms", 20'000}});
  const json state = reply.json().contains("state") ? reply.json()["state"] : reply.json();
  CHECK(state["graph"].is_null());
  REQUIRE_FALSE(state["messages"].empty());
  CHECK(state["messages"].back()["kind"] == "error");
  CHECK(state["messages"].back()["text"].get<std::string>().starts_with("x.pb: "));
  CHECK(server.get("sessions/" + server.id + "/picture?view=levels&w=100&h=100").status == 422);
  CHECK(server.get("sessions/" + server.id + "/rows?table=swaps").status == 422);
}

TEST_CASE("Names that are markup are data", "[routes]") {
  Server server;
  const std::string name = "a/<script>alert(1)</script>\\\"&amp;";
  const std::string graph =
      "node { name: \"" + std::string("a/<script>alert(1)</script>") +
      "\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }";
  const Reply upload =
      server.client.ask(request_text("POST /api/v1/uploads?name=x.pbtxt", kFields, graph));
  const Reply opened = server.post("sessions", {{"source", {{"upload", upload.json()["upload"]}}}});
  server.id = opened.json()["id"];
  const json state = server.state();
  INFO(state["messages"].dump());
  REQUIRE(state["graph"].is_object());
  const json rows = server.get("sessions/" + server.id + "/rows?table=search&filter=script").json();
  CHECK(rows["rows"][0]["op"] == "a/<script>alert(1)</script>");
  const Reply svg =
      server.get("sessions/" + server.id + "/picture?view=levels&w=800&h=300&format=svg");
  CHECK(svg.status == 200);
  CHECK(svg.body.find("<script") == std::string::npos);
  for (const char* path : {"/state", "/rows?table=search&filter=script"}) {
    CHECK(server.get("sessions/" + server.id + path).fields.at("Content-Type") ==
          "application/json");
  }
}

}  // namespace tideline
