#include "app/web/paths.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using web::AllowedPaths;

// folder/open (to be read), folder/secret.pb, folder/out (to be written).
struct Place {
  Place() {
    fs::create_directories(folder.file("open/runs/train"));
    fs::create_directories(folder.file("out"));
    fs::create_directories(folder.file("other"));
    for (const char* name : {"open/graph.pb", "open/runs/train/x.pb", "secret.pb", "other/y.pb"}) {
      std::ofstream(folder.file(name)) << "x";
    }
    auto made = AllowedPaths::make({folder.file("open")}, folder.file("out"));
    REQUIRE(made);
    paths = *std::move(made);
  }
  [[nodiscard]] std::string read(const std::string& path) const {
    auto found = paths->for_reading(path);
    return found ? fs::relative(*found, fs::canonical(folder.file(""))).string() : "";
  }
  TemporaryFolder folder;
  std::unique_ptr<AllowedPaths> paths;
};

}  // namespace

TEST_CASE("Files in the given folders may be read", "[paths]") {
  const Place place;
  const std::string open = place.folder.file("open");
  CHECK(place.read(open) == "open");
  CHECK(place.read(open + "/") == "open");
  CHECK(place.read(open + "/graph.pb") == "open/graph.pb");
  CHECK(place.read(open + "/runs/../graph.pb") == "open/graph.pb");
  CHECK(place.read(open + "//runs//train//x.pb") == "open/runs/train/x.pb");
}

TEST_CASE("Nothing outside of the given folders is found, however it is called", "[paths]") {
  const Place place;
  const std::string open = place.folder.file("open");
  for (const std::string& path :
       {std::string(), std::string("/"), std::string("/etc/passwd"), place.folder.file(""),
        place.folder.file("secret.pb"), open + "/../secret.pb", open + "/runs/../../secret.pb",
        open + "/..", open + "/nothing.pb", open + "2", open + "/graph.pb/..", open + "/graph.pb/x",
        std::string("../secret.pb"), open + std::string("/graph.pb\0x", 11), "~/" + open,
        "file://" + open + "/graph.pb", std::string("/proc/self/fd/0"), std::string("/dev/null"),
        open + "/%2e%2e/secret.pb"}) {
    INFO(path);
    CHECK(place.read(path).empty());
  }
  // There is no telling what is there and what is not.
  const auto there = place.paths->for_reading(place.folder.file("secret.pb"));
  const auto missing = place.paths->for_reading(place.folder.file("missing.pb"));
  const auto after = [](const Error& error) {
    return error.message.substr(error.message.find(": "));
  };
  CHECK(after(there.error()) == after(missing.error()));
  CHECK(there.error().code == missing.error().code);
}

TEST_CASE("Links are followed inside the folders only", "[paths]") {
  const Place place;
  const std::string open = place.folder.file("open");
  fs::create_symlink("graph.pb", open + "/inner.pb");
  fs::create_symlink("../secret.pb", open + "/outer.pb");
  fs::create_symlink(place.folder.file("secret.pb"), open + "/absolute.pb");
  fs::create_symlink(place.folder.file("other"), open + "/folder");
  fs::create_symlink("loop", open + "/loop");
  CHECK(place.read(open + "/inner.pb") == "open/graph.pb");
  for (const char* name : {"outer.pb", "absolute.pb", "folder", "folder/y.pb", "loop"}) {
    INFO(name);
    CHECK(place.read(open + "/" + name).empty());
  }
  // Who opens a folder would follow a link to a file in it, but not one to a folder.
  CHECK(place.read(open).empty());
  fs::remove(open + "/outer.pb");
  fs::remove(open + "/absolute.pb");
  CHECK(place.read(open) == "open");
}

TEST_CASE("A link that changes leads nowhere else", "[paths]") {
  const Place place;
  const std::string open = place.folder.file("open");
  fs::create_symlink("graph.pb", open + "/link.pb");
  const auto before = place.paths->for_reading(open + "/link.pb");
  REQUIRE(before);
  fs::remove(open + "/link.pb");
  fs::create_symlink("../secret.pb", open + "/link.pb");
  // What was allowed is called by its own name, in which there is no link to change.
  CHECK(fs::path(*before).filename() == "graph.pb");
  CHECK(place.read(open + "/link.pb").empty());
  // A folder that became a link.
  fs::rename(open + "/runs", open + "/runs2");
  fs::create_symlink("../other", open + "/runs");
  CHECK(place.read(open + "/runs/y.pb").empty());
}

TEST_CASE("A file that was given may be read, and its neighbours may not", "[paths]") {
  const Place place;
  const std::string file = place.folder.file("open/graph.pb");
  const auto paths = *AllowedPaths::make({file}, "");
  CHECK(paths->for_reading(file));
  CHECK_FALSE(paths->for_reading(place.folder.file("open")));
  CHECK_FALSE(paths->for_reading(place.folder.file("open/runs/train/x.pb")));
  fs::remove(file);
  fs::create_symlink("../secret.pb", file);
  CHECK_FALSE(paths->for_reading(file));
}

TEST_CASE("Files are written by name into one folder", "[paths]") {
  const Place place;
  const auto path = place.paths->for_writing("model.pb");
  REQUIRE(path);
  CHECK(*path == fs::canonical(place.folder.file("out")) / "model.pb");
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../x.pb"),
        std::string("/etc/x.pb"), std::string("a/b.pb"), std::string(".hidden"),
        std::string("a\0b", 3), std::string("a\nb"), std::string("a\x80")}) {
    INFO(name);
    const auto refused = place.paths->for_writing(name);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kInvalidArgument);
  }
  // What is written may not be read, unless it lies in a folder for that.
  std::ofstream(*path) << "x";
  CHECK(place.read(*path).empty());
}

TEST_CASE("Without a folder for it nothing is written", "[paths]") {
  const auto paths = *AllowedPaths::make({}, "");
  CHECK_FALSE(paths->may_write());
  const auto refused = paths->for_writing("model.pb");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnsupported);
}

TEST_CASE("Folders that are not there are refused at the start", "[paths]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "x";
  CHECK(AllowedPaths::make({folder.file("missing")}, "").error().code == Code::kNotFound);
  CHECK(AllowedPaths::make({}, folder.file("missing")).error().code == Code::kNotFound);
  CHECK(AllowedPaths::make({}, folder.file("file")).error().code == Code::kInvalidArgument);
  CHECK(AllowedPaths::make({"/dev/null"}, "").error().code == Code::kInvalidArgument);
}

TEST_CASE("A folder that was replaced is named", "[paths]") {
  const Place place;
  const std::string open = place.folder.file("open");
  const auto file = *AllowedPaths::make({open + "/graph.pb"}, "");
  // Kept, so that the new ones are other folders for sure.
  fs::rename(open, place.folder.file("open_before"));
  fs::rename(place.folder.file("out"), place.folder.file("out_before"));
  fs::create_directory(open);
  fs::create_directory(place.folder.file("out"));
  std::ofstream(open + "/graph.pb") << "x";
  for (const auto& refused :
       {place.paths->for_reading(open + "/graph.pb"), file->for_reading(open + "/graph.pb"),
        place.paths->for_writing("model.pb")}) {
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, Catch::Contains("replaced after"));
  }
}

TEST_CASE("What another folder that was given holds, too, may be read still", "[paths]") {
  const Place place;
  const std::string runs = place.folder.file("open/runs");
  const auto paths =
      *AllowedPaths::make({runs, runs + "/train/x.pb", place.folder.file("open")}, "");
  fs::rename(runs, place.folder.file("open/runs_before"));
  fs::create_directories(runs + "/train");
  std::ofstream(runs + "/train/x.pb") << "x";
  CHECK(paths->for_reading(runs + "/train/x.pb"));
}

TEST_CASE("Uploads may be read as long as they are there", "[paths]") {
  const auto paths = *AllowedPaths::make({}, "");
  CHECK_FALSE(paths->for_reading("/proc/self/fd/9"));
  paths->grant("/proc/self/fd/9");
  CHECK(paths->for_reading("/proc/self/fd/9"));
  CHECK_FALSE(paths->for_reading("/proc/self/fd/99"));
  paths->revoke("/proc/self/fd/9");
  CHECK_FALSE(paths->for_reading("/proc/self/fd/9"));
}

}  // namespace tideline
