// Logs as a page asks for them: what can be opened, states, rows, charts and files.
#include <algorithm>
#include <filesystem>
#include <set>

#include "app/actions/commands.h"
#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using nlohmann::json;
using test::lines;
using test::Reply;
using test::Server;

const std::filesystem::path kLogs = test::kSource / "tests/data/logs";

// A server with the logs, and a session of one of them.
struct LogServer : Server {
  explicit LogServer(const std::string& name = "tf2_keras") : Server({}, kLogs) {
    const Reply reply =
        post("sessions", {{"source", {{"path", (kLogs / name).string()}, {"document", "log"}}}});
    INFO(reply.body);
    REQUIRE(reply.status == 201);
    id = reply.json()["id"];
    REQUIRE(state()["log"].is_object());
  }
  json rows(const std::string& query) {
    const Reply reply = get("sessions/" + id + "/rows?" + query);
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return reply.json();
  }
  json does(const std::vector<std::vector<std::string>>& actions) {
    const Reply reply = act({{"do", lines(actions)}, {"wait_ms", 20'000}});
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return reply.json();
  }
  Reply picture(const std::string& query) {
    return get("sessions/" + id + "/picture?view=log&w=400&h=200&font=15&" + query);
  }
};

std::set<std::string> texts(const json& rows, const char* member) {
  std::set<std::string> all;
  for (const json& row : rows["rows"]) all.insert(row[member].get<std::string>());
  return all;
}

}  // namespace

TEST_CASE("Logs and checkpoints are listed among the sources", "[routes_log]") {
  Server server({}, test::kSource / "tests/data");
  const auto listed = [&](const std::string& folder) {
    return server.get("sources?folder=" + (test::kSource / "tests/data" / folder).string()).json();
  };
  const json log = listed("logs/tf2_keras");
  REQUIRE(log["logs"].size() == 1);
  CHECK(log["logs"][0]["path"] == (kLogs / "tf2_keras").string());
  const json train = listed("logs/tf2_keras/train");
  REQUIRE(train["logs"].size() == 2);  // the folder, and the file in it
  CHECK(train["logs"][1]["bytes"] > 1000);
  const json small = listed("checkpoints/small");
  CHECK(small["logs"].empty());
  REQUIRE(small["checkpoints"].size() == 1);
  CHECK(small["checkpoints"][0]["path"].get<std::string>().ends_with("small/ckpt.index"));
}

TEST_CASE("A session of a log says what is in it, and has no graph", "[routes_log]") {
  LogServer server;
  const json state = server.state();
  CHECK(state["graph"].is_null());
  CHECK(state["busy"] == false);  // also while the log is followed
  CHECK(state["document"]["kind"] == "log");
  CHECK(state["document"]["title"] == "tf2_keras");
  const json& log = state["log"];
  CHECK(log["runs"] == 2);
  CHECK(log["values"] > 30);
  CHECK(log["pages"][0]["page"] == "scalars");
  CHECK(log["pages"][0]["count"] > 0);
  CHECK(log["graphs"].size() > 0);
  CHECK(state["view"]["log"]["page"] == "scalars");
  CHECK(state["view"]["log"]["smoothing"] == 0.6);
  CHECK(state["resume"] == json::array());
}

TEST_CASE("Runs and tags come as rows, and filters and hidden runs leave some out",
          "[routes_log]") {
  LogServer server;
  const json runs = server.rows("table=log-runs");
  CHECK(texts(runs, "run") == std::set<std::string>{"trace", "train"});
  CHECK(runs["rows"][0]["number"] == 1);
  CHECK(runs["rows"][0]["color"].get<std::string>().size() == 7);
  const auto all = texts(server.rows("table=log-charts"), "tag");
  REQUIRE(all.contains("epoch_loss"));
  json state = server.does({{"log.filter", "tags", "epoch"}});
  const auto some = texts(server.rows("table=log-charts"), "tag");
  CHECK(some.size() < all.size());
  CHECK(some.contains("epoch_loss"));
  CHECK(state["view"]["log"]["tag_filter"] == "epoch");
  state = server.does({{"log.filter", "tags", "/(/"}});
  CHECK_FALSE(state["log"]["tag_error"].get<std::string>().empty());
  server.does({{"log.filter", "tags"}, {"log.runs", "hide", "train"}});
  CHECK_FALSE(texts(server.rows("table=log-charts"), "tag").contains("epoch_loss"));
  CHECK(server.rows("table=log-runs")["rows"][1]["shown"] == false);
  state = server.does({{"log.runs", "only", "train"}});
  CHECK(state["view"]["log"]["hidden_runs"] == json({"trace"}));
  state = server.does({{"log.runs", "hide"}});
  CHECK(state["view"]["log"]["hidden_runs"] == json({"trace", "train"}));
  CHECK(server.rows("table=log-charts")["total"] == 0);
  state = server.does({{"log.runs", "show"}});
  CHECK(state["view"]["log"]["hidden_runs"] == json::array());
  CHECK(server.act({{"do", lines({{"log.runs", "hide", "nothing"}})}}).status == 422);
  CHECK(server.get("sessions/" + server.id + "/rows?table=swaps").status == 422);
}

TEST_CASE("Charts of a log are pictures, and the mouse finds their values", "[routes_log]") {
  LogServer server;
  const Reply reply = server.picture("chart=scalars&tag=epoch_loss");
  REQUIRE(reply.status == 200);
  const json picture = reply.json();
  CHECK(picture["schema"] == "tideline.picture/1");
  CHECK(picture["list"].size() > 10);
  REQUIRE(picture["plot"].size() == 4);
  CHECK(picture["x"][0].get<double>() < picture["x"][1].get<double>());
  const std::string at = "sessions/" + server.id +
                         "/hit?view=log&chart=scalars&tag=epoch_loss&w=400&h=200&font=15&y=80&x=";
  const json hit = server.get(at + "200").json();
  REQUIRE(hit["lines"].size() == 1);
  CHECK(hit["lines"][0].get<std::string>().find("train") != std::string::npos);
  CHECK(hit["lines"][0].get<std::string>().find("smoothed") != std::string::npos);
  CHECK(hit["colors"].size() == 1);
  CHECK_FALSE(hit["marks"]["list"].empty());
  server.does({{"log.smoothing", "0"}});
  CHECK(server.picture("chart=scalars&tag=epoch_loss").body != reply.body);
  CHECK(server.get(at + "200").json()["lines"][0].get<std::string>().find("smoothed") ==
        std::string::npos);
  for (const char* page : {"histograms", "distributions"}) {
    INFO(page);
    server.does({{"log.page", page}});
    const json rows = server.rows("table=log-charts");
    REQUIRE(rows["total"] > 0);
    const std::string chart = std::string("chart=") + page +
                              "&tag=" + rows["rows"][0]["tag"].get<std::string>() +
                              "&run=" + rows["rows"][0]["run"].get<std::string>();
    CHECK(server.picture(chart).json()["list"].size() > 10);
  }
}

TEST_CASE("What is no chart of the log is refused", "[routes_log]") {
  LogServer server;
  CHECK(server.picture("chart=scalars&tag=nothing").code() == "not_found");
  CHECK(server.picture("chart=images&tag=epoch_loss").status == 422);
  CHECK(server.picture("chart=histograms&tag=epoch_loss&run=train").status == 422);
  CHECK(server.get("sessions/" + server.id + "/picture?view=levels&w=400&h=200").status == 422);
  server.does({{"log.runs", "hide", "train"}});
  CHECK(server.picture("chart=scalars&tag=epoch_loss").code() == "not_found");
  Server graph;
  graph.open();
  CHECK(graph.get("sessions/" + graph.id + "/picture?view=log&chart=scalars&tag=a&w=99&h=99")
            .status == 422);
  CHECK(graph.state()["document"].is_null());
}

TEST_CASE("A chart of a log is downloaded as SVG, its values as CSV", "[routes_log]") {
  LogServer server;
  const auto file = [&](const json& wish) {
    const json made = server.post("sessions/" + server.id + "/files", wish).json();
    INFO(made.dump());
    const std::string ticket = made["file"];
    return std::pair(made["name"].get<std::string>(), server.get("files/" + ticket).body);
  };
  const auto [svg_name, svg] = file({{"kind", "svg"},
                                     {"view", "log"},
                                     {"chart", "scalars"},
                                     {"tag", "epoch_loss"},
                                     {"w", 800},
                                     {"h", 500}});
  CHECK(svg_name == "epoch_loss.svg");
  CHECK(svg.find("epoch_loss</text>") != std::string::npos);
  CHECK(svg.find("train") != std::string::npos);  // the names of the runs are below it
  const auto [csv_name, csv] = file({{"kind", "chart-csv"}, {"tag", "epoch_loss"}});
  CHECK(csv_name == "epoch_loss.csv");
  CHECK(csv.starts_with("run,step,wall_time,value\ntrain,0,"));
  CHECK(server.post("sessions/" + server.id + "/files", {{"kind", "chart-csv"}, {"tag", "x"}})
            .status == 422);
}

TEST_CASE("The view of a log travels as a member of the view, whole or not at all",
          "[routes_log]") {
  LogServer server;
  const auto look = [&](const json& members) { return server.act({{"view", {{"log", members}}}}); };
  const json changed = look({{"log_y", true}, {"visible", {1, 3.5}}, {"axis", "wall"}}).json();
  CHECK(changed["view"]["log"]["log_y"] == true);
  CHECK(changed["view"]["log"]["visible"] == json({1, 3.5}));
  CHECK(changed["view"]["log"]["axis"] == "wall");
  for (const json& wrong :
       {json({{"log_x", 1}}), json({{"smoothing", 1}}), json({{"visible", {3, 1}}}),
        json({{"page", "audio"}}), json({{"hidden_runs", {1}}}), json({{"rows", {{-1, 2}}}}),
        json({{"log_x", true}, {"nothing", 1}}), json({{"tag_filter", std::string(2000, 'a')}})}) {
    INFO(wrong.dump());
    CHECK(look(wrong).status == 422);
    CHECK(server.state()["view"]["log"] == changed["view"]["log"]);
  }
  // As a page does that opens its session again.
  CHECK(look(changed["view"]["log"]).json()["view"]["log"] == changed["view"]["log"]);
}

TEST_CASE("What a page may not open as a log is refused", "[routes_log]") {
  Server server({}, kLogs / "tf1_mlp");
  const auto open = [&](const json& source) {
    return server.post("sessions", {{"source", source}});
  };
  CHECK(open({{"path", (kLogs / "tf2_keras").string()}, {"document", "log"}}).status == 422);
  CHECK(open({{"path", (kLogs / "tf1_mlp").string()}, {"document", "picture"}}).status == 422);
  CHECK(open({{"path", "/etc"}, {"document", "log"}}).status == 422);
  // A file that is none: the session says so, and is left without anything.
  const Reply reply =
      open({{"path", (kLogs / "tf1_mlp/mlp.runmeta.pb").string()}, {"document", "checkpoint"}});
  REQUIRE(reply.status == 201);
  server.id = reply.json()["id"];
  const json state = server.state();
  CHECK(state["document"].is_null());
  REQUIRE_FALSE(state["messages"].empty());
  CHECK(state["messages"].back()["kind"] == "error");
}

TEST_CASE("A log with a link out of the folders is not opened", "[routes_log]") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("run"));
  std::filesystem::create_symlink(kLogs / "tf1_mlp/events.out.tfevents.1795247306.vm",
                                  folder.file("run/tfevents"));
  Server server({}, folder.file(""));
  const Reply reply =
      server.post("sessions", {{"source", {{"path", folder.file("run")}, {"document", "log"}}}});
  CHECK(reply.status == 422);
  CHECK(reply.body.find("leads out of the folders") != std::string::npos);
}

}  // namespace tideline
