#include "app/web/sources.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Client;
using test::kFields;
using test::kToken;
using test::lines;
using test::Reply;
using test::request_text;

// What may be opened of these files and folders.
json listed(const std::vector<std::string>& roots) {
  const auto paths = web::AllowedPaths::make(roots, "");
  REQUIRE(paths);
  web::Sources sources(**paths);
  const auto list = sources.list("");
  REQUIRE(list);
  return *list;
}

// A folder with a graph, a log and a lesson, each in a folder of its own.
struct Tree : test::TemporaryFolder {
  Tree() {
    const auto samples = test::kSource / "assets/samples";
    fs::create_directories(file("all/graphs"));
    fs::copy_file(samples / "residual.meta", file("all/graphs/one.meta"));
    fs::copy(test::kData / "logs/tf1_mlp", file("all/log"), fs::copy_options::recursive);
  }
  [[nodiscard]] std::string event_file() const {
    for (const auto& entry : fs::directory_iterator(file("all/log"))) {
      if (entry.path().filename().string().find("tfevents") != std::string::npos) {
        return entry.path().string();
      }
    }
    return {};
  }
};

}  // namespace

TEST_CASE("A file that is given by itself and in its folder is listed once", "[sources]") {
  const Tree tree;
  const std::string graph = tree.file("all/graphs/one.meta");
  const json alone = listed({graph})["graphs"];
  REQUIRE(alone.size() == 1);
  for (const auto& roots :
       {std::vector{graph, tree.file("all/graphs")}, std::vector{tree.file("all/graphs"), graph},
        std::vector{graph, graph}}) {
    const json graphs = listed(roots)["graphs"];
    REQUIRE(graphs.size() == 1);
    CHECK(graphs[0]["path"] == alone[0]["path"]);
  }
}

TEST_CASE("A log that lies in another folder that is given is listed once", "[sources]") {
  const Tree tree;
  const json alone = listed({tree.file("all/log")});
  REQUIRE(alone["graphs"].size() > 1);
  REQUIRE_FALSE(alone["traces"].empty());
  REQUIRE_FALSE(tree.event_file().empty());
  for (const auto& roots : {std::vector{tree.file("all"), tree.file("all/log")},
                            std::vector{tree.file("all/log"), tree.file("all")},
                            std::vector{tree.event_file(), tree.file("all/log")},
                            std::vector{tree.file("all/log"), tree.file("all/log")}}) {
    INFO(roots[0] << " " << roots[1]);
    const json list = listed(roots);
    CHECK(list["graphs"].size() == alone["graphs"].size());
    CHECK(list["traces"].size() == alone["traces"].size());
    const auto& folders = list["folders"];
    CHECK(std::set<std::string>(folders.begin(), folders.end()).size() == folders.size());
  }
}

TEST_CASE("Symbolic links list nothing a second time", "[sources]") {
  const Tree tree;
  fs::create_symlink("one.meta", tree.file("all/graphs/again.meta"));
  fs::create_directory_symlink("log", tree.file("all/same_log"));
  const json graphs = listed({tree.file("all/graphs")})["graphs"];
  REQUIRE(graphs.size() == 1);
  CHECK(graphs[0]["path"].get<std::string>().ends_with("one.meta"));
  const json alone = listed({tree.file("all")});
  const json both = listed({tree.file("all"), tree.file("all/same_log")});
  CHECK(both["graphs"].size() == alone["graphs"].size());
  CHECK(both["folders"].size() == alone["folders"].size() + 1);  // the given folder itself
}

TEST_CASE("A saved model is listed once, by its folder or its file", "[sources]") {
  const Tree tree;
  fs::create_directories(tree.file("models/saved"));
  fs::copy_file(test::kSource / "assets/samples/residual.meta",
                tree.file("models/saved/saved_model.pb"));
  for (const auto& roots :
       {std::vector{tree.file("models"), tree.file("models/saved")},
        std::vector{tree.file("models"), tree.file("models/saved/saved_model.pb")}}) {
    CHECK(listed(roots)["graphs"].size() == 1);
  }
}

TEST_CASE("Graphs and traced steps of logs are listed with their runs", "[sources]") {
  const std::string logs = (test::kData / "logs").string();
  auto paths = *web::AllowedPaths::make({logs}, "");
  web::Routes routes(web::Gate(kToken, {}), *paths);
  Client client(routes);
  const auto list = [&](const std::string& folder) {
    return client.ask(request_text("GET /api/v1/sources?folder=" + folder, kFields)).json();
  };
  const json log = list(logs + "/tf1_mlp");
  REQUIRE_FALSE(log["graphs"].empty());
  for (const json& graph : log["graphs"]) {
    CHECK(graph["path"] == logs + "/tf1_mlp");
    CHECK_FALSE(graph["tag"].get<std::string>().empty());
    CHECK(graph["bytes"] > 0);
  }
  REQUIRE_FALSE(log["traces"].empty());
  CHECK(log["traces"][0]["path"] == logs + "/tf1_mlp/mlp.runmeta.pb");
  CHECK(list(logs + "/tf1_mlp") == log);  // kept
  // A session of one of them.
  const json source = {{"source", log["graphs"][0]}};
  const Reply opened = client.ask(request_text("POST /api/v1/sessions", kFields, source.dump()));
  REQUIRE(opened.status == 201);
  const std::string id = opened.json()["id"];
  const json state = client
                         .ask(request_text("POST /api/v1/sessions/" + id + "/act", kFields,
                                           R"({"wait_ms": 20000})"))
                         .json();
  INFO(state["messages"].dump());
  CHECK(state["graph"].is_object());
  // The traced steps of the log can be chosen.
  const json traced = state["graph"]["traced"];
  REQUIRE(traced["steps"].size() == 3);
  CHECK(traced["steps"][1] == json({{"run", "."}, {"tag", "step012"}, {"step", 12}}));
  const json choice = {{"do", lines({{"measure.open", traced["path"], ".", "step012"}})},
                       {"wait_ms", 20'000}};
  const json chosen =
      client.ask(request_text("POST /api/v1/sessions/" + id + "/act", kFields, choice.dump()))
          .json();
  CHECK(chosen["graph"]["traced"]["shown"] == 1);
  CHECK(list("")["folders"].size() > 1);
  const Reply timeline = client.ask(
      request_text("GET /api/v1/sessions/" + id + "/picture?view=timeline&w=800&h=300", kFields));
  CHECK(timeline.status == 200);
  const json picture = timeline.json();
  CHECK(picture["count"] > 4);
  CHECK(picture["list"].size() > 20);
  const Reply part = client.ask(request_text(
      "GET /api/v1/sessions/" + id + "/picture?view=timeline&w=800&h=300&first=100&span=50",
      kFields));
  CHECK(part.json()["first"] == 100);
  CHECK(part.json()["span"] == 50);
  // A view of which nothing can be moved is drawn whole.
  const Reply fit = client.ask(
      request_text("GET /api/v1/sessions/" + id + "/picture?view=fit&w=800&h=300", kFields));
  CHECK(fit.json()["count"] == 0);
}

}  // namespace tideline
