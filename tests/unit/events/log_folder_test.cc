#include "core/events/log_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/temporary_folder.h"
#include "tests/support/without_root_rights.h"

namespace tideline::events {
namespace {

namespace fs = std::filesystem;

class Tree {
 public:
  void file(const std::string& name) {
    fs::create_directories(fs::path(folder_.file(name)).parent_path());
    std::ofstream(folder_.file(name)) << "x";
  }
  void link(const std::string& to, const std::string& name) {
    fs::create_directory_symlink(to, folder_.file(name));
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.file(name); }

  // "run:file" of all that is found.
  std::vector<std::string> found() {
    const auto files = find_event_files(folder_.file(""), diagnostics, progress_);
    std::vector<std::string> names;
    if (!files) return {files.error().message.substr(folder_.file("").size())};
    for (const EventFile& file : *files) {
      names.push_back(file.run + ":" + fs::path(file.path).filename().string());
    }
    return names;
  }

  Diagnostics diagnostics;

 private:
  test::TemporaryFolder folder_;
  Progress progress_;
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a run is the folder of its event files, relative to the log") {
  Tree tree;
  tree.file("b/train/events.out.tfevents.2.host");
  tree.file("b/train/events.out.tfevents.1.host");
  tree.file("b/eval/events.out.tfevents.1.host.v2");
  tree.file("events.out.tfevents.9.host");
  tree.file("a/my.tfevents");
  tree.file("a/graph.pbtxt");
  CHECK(tree.found() == Names{".:events.out.tfevents.9.host", "a:my.tfevents",
                              "b/eval:events.out.tfevents.1.host.v2",
                              "b/train:events.out.tfevents.1.host",
                              "b/train:events.out.tfevents.2.host"});
  CHECK(tree.diagnostics.entries().empty());
}

TEST_CASE("links that lead around in circles are walked once") {
  Tree tree;
  tree.file("run/events.tfevents.1");
  tree.link("..", "run/up");
  tree.link(".", "run/here");
  tree.link(tree.path("run"), "a_link_to_run");
  tree.link("nowhere", "dangling");
  // The folder's own name wins, although the link comes first in the alphabet.
  CHECK(tree.found() == Names{"run:events.tfevents.1"});
}

TEST_CASE("a link out of the log, perhaps to everything there is, is not walked") {
  Tree elsewhere;
  elsewhere.file("events.tfevents.1");
  Tree tree;
  tree.file("run/events.tfevents.1");
  tree.link(elsewhere.path(""), "linked");
  tree.link("/", "everything");
  CHECK(tree.found() == Names{"run:events.tfevents.1"});
  REQUIRE(tree.diagnostics.entries().size() == 1);
  CHECK(tree.diagnostics.entries()[0].kind == "link out of the log, which is not followed");
  CHECK(tree.diagnostics.entries()[0].count == 2);
}

TEST_CASE("a linked folder deeper in the log is walked once") {
  Tree tree;
  tree.file("runs/one/events.tfevents.1");
  tree.link("runs/one", "last");
  CHECK(tree.found() == Names{"runs/one:events.tfevents.1"});
}

TEST_CASE("only regular files are event files") {
  Tree tree;
  tree.file(".events.out.tfevents.1.tideline.tideline-1-abcdef");  // left by a killed process
  tree.file("folder.tfevents.d/events.tfevents.1");
  REQUIRE(::mkfifo(tree.path("pipe.tfevents").c_str(), 0600) == 0);  // opening it would wait
  CHECK(tree.found() == Names{"folder.tfevents.d:events.tfevents.1"});
}

TEST_CASE("a folder that cannot be read is counted and passed over") {
  Tree tree;
  tree.file("open/events.tfevents.1");
  tree.file("closed/events.tfevents.1");
  fs::permissions(tree.path("closed"), fs::perms::none);
  {
    const test::WithoutRootRights as_anybody;  // nothing is closed to root
    CHECK(tree.found() == Names{"open:events.tfevents.1"});
  }
  fs::permissions(tree.path("closed"), fs::perms::owner_all);
  REQUIRE(tree.diagnostics.entries().size() == 1);
  CHECK(tree.diagnostics.entries()[0].kind == "folder that cannot be read");
}

TEST_CASE("a folder without event files says so; a file stands for itself") {
  Tree tree;
  CHECK(tree.found() ==
        Names{": no event file below this folder; expected files with 'tfevents' in "
              "their names"});
  tree.file("anything");
  Diagnostics diagnostics;
  Progress progress;
  const auto files = find_event_files(tree.path("anything"), diagnostics, progress);
  REQUIRE(files);
  REQUIRE(files->size() == 1);
  CHECK(files->front().run == ".");
  const auto missing = find_event_files(tree.path("missing"), diagnostics, progress);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == Code::kNotFound);
}

TEST_CASE("looking for logs can be interrupted") {
  struct Impatient : Progress {
    bool report(std::string_view, std::int64_t, std::int64_t) override { return false; }
  } progress;
  const test::TemporaryFolder folder;
  Diagnostics diagnostics;
  const auto files = find_event_files(folder.file(""), diagnostics, progress);
  REQUIRE_FALSE(files);
  CHECK(files.error().code == Code::kCancelled);
}

}  // namespace tideline::events
