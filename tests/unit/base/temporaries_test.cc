#include "core/base/temporaries.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/base/descriptor.h"
#include "core/base/output_file.h"
#include "core/base/output_folder.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

// The number of a process that is gone.
pid_t ended_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return child;
}

void put(const std::string& path) {
  std::ofstream(path) << "x";
}

}  // namespace

TEST_CASE("names of temporary files are recognised, and no others") {
  std::string name = temporary_pattern("some/folder/graph.pb");
  CHECK(name.starts_with("some/folder/.graph.pb.tideline-"));
  name = fs::path(name).filename().string();
  CHECK(is_temporary_name(name));
  CHECK(is_temporary_name(set_aside_name(name)));
  CHECK(set_aside_name(name) != name);
  CHECK(is_temporary_name(".graph.pb.tideline-1-aB3xYz"));
  for (const char* other :
       {"graph.pb", ".graph.pb.aB3xYz", "graph.pb.tideline-1-aB3xYz", ".graph.pb.tideline-x-aB3xYz",
        ".graph.pb.tideline-1-short", ".tideline-1-aB3xYz", ".graph.pb.tideline-0-aB3xYz",
        ".graph.pb.tideline-1-aB3xYz.txt", ".notes.tideline-1"}) {
    INFO(other);
    CHECK_FALSE(is_temporary_name(other));
  }
  CHECK(fs::path(temporary_pattern(std::string(255, 'n'))).filename().string().size() < 255);
}

TEST_CASE("a file that a killed process left is removed by the next write beside it") {
  const test::TemporaryFolder folder;
  put(folder.file(fmt::format(".out.tideline-{}-abcdef", ended_process())));
  const std::string inner = folder.file(fmt::format(".model.tideline-{}-abcdef", ended_process()));
  fs::create_directories(inner + "/variables");
  put(inner + "/variables/index");
  REQUIRE(write_file(folder.file("other"), "x", false));
  CHECK(folder.entries() == 1);
}

TEST_CASE("temporary files of running processes and files of others stay") {
  const test::TemporaryFolder folder;
  put(folder.file(fmt::format(".out.tideline-{}-abcdef", ::getpid())));
  put(folder.file(fmt::format(".out.tideline-{}-abcdef", ::getppid())));
  put(folder.file(".out.tideline-notes"));
  // A link of that name leads elsewhere.
  put(folder.file("precious"));
  fs::create_symlink(folder.file("precious"),
                     folder.file(fmt::format(".out.tideline-{}-abcdef", ended_process())));
  // A process that cannot be seen from here, in another container, still has it open.
  const std::string locked = folder.file(fmt::format(".out.tideline-{}-fedcba", ended_process()));
  put(locked);
  const Descriptor held(::open(locked.c_str(), O_RDONLY | O_CLOEXEC));
  mark_in_use(held.value());
  REQUIRE(write_file(folder.file("other"), "x", false));
  CHECK(folder.entries() == 7);
}

TEST_CASE("what a killed process had set aside is removed only if that may be replaced") {
  const test::TemporaryFolder folder;
  const std::string aside =
      folder.file(fmt::format(".model.tideline-old-{}-abcdef", ended_process()));
  fs::create_directories(aside);
  put(aside + "/precious");
  REQUIRE(write_file(folder.file("other"), "x", false));
  CHECK(fs::exists(aside + "/precious"));
  REQUIRE(OutputFolder::create(folder.file("new"), true, never_replace()));
  CHECK(fs::exists(aside + "/precious"));
  const auto listed = [](const std::string&, const std::string&) {
    return Result<std::vector<std::string>>({"precious"});
  };
  REQUIRE(OutputFolder::create(folder.file("new"), true, listed));
  CHECK_FALSE(fs::exists(aside));
  fs::create_directories(aside + "/variables");  // it was killed when all files were removed
  REQUIRE(OutputFolder::create(folder.file("new"), true, never_replace()));
  CHECK_FALSE(fs::exists(aside));
}

}  // namespace tideline
