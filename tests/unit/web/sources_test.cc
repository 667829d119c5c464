#include "app/web/sources.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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

}  // namespace tideline
