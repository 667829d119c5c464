#include "core/base/confine.h"

#include <fcntl.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "core/base/descriptor.h"
#include "core/base/output_file.h"
#include "core/base/source_bytes.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

bool can_read(const fs::path& path) {
  return open_bytes(path.string()).has_value();
}

Descriptor opened(const fs::path& folder) {
  return Descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

bool can_write(const fs::path& path) {
  return std::ofstream(path).put('x').good();
}

}  // namespace

TEST_CASE("a confined thread opens nothing outside of its folders, whatever links say") {
  const test::TemporaryFolder folder;
  const fs::path root = folder.file("");
  for (const char* name : {"given", "given/below", "written", "secret"}) {
    fs::create_directory(root / name);
  }
  put(root / "given/below/graph.pb", "graph");
  put(root / "secret/key", "key");
  fs::create_symlink("../secret/key", root / "given/out");
  fs::create_symlink("below/graph.pb", root / "given/in");
  REQUIRE(can_read(root / "given/out"));

  bool is_confined = false;
  std::thread([&] {
    const Descriptor given = opened(root / "given");
    const Descriptor written = opened(root / "written");
    is_confined = confine_thread({{given.value()}, {written.value()}});
    if (!is_confined) return;
    CHECK(can_read(root / "given/below/graph.pb"));
    CHECK(can_read(root / "given/in"));
    CHECK_FALSE(can_read(root / "given/out"));
    CHECK_FALSE(can_read(root / "secret/key"));
    CHECK_FALSE(can_write(root / "given/new"));
    CHECK_FALSE(can_write(root / "new"));
    CHECK(can_write(root / "written/new"));
    CHECK(can_read(root / "written/new"));
    fs::rename(root / "written/new", root / "written/renamed");
    CHECK(fs::remove(root / "written/renamed"));
    std::error_code error;
    CHECK_FALSE(fs::remove(root / "given/in", error));
    std::thread([&] { CHECK_FALSE(can_read(root / "secret/key")); }).join();
  }).join();
  if (!is_confined) WARN("the kernel has no Landlock: not tested");
  CHECK(can_read(root / "secret/key"));
  CHECK(can_write(root / "given/new"));
}

TEST_CASE("a thread that may not write makes, changes and removes nothing, and reads all") {
  const test::TemporaryFolder folder;
  const fs::path root = folder.file("");
  put(root / "file", "content");
  fs::create_directory(root / "empty");
  bool is_denied = false;
  std::thread([&] {
    is_denied = deny_writing();
    if (!is_denied) return;
    CHECK(can_read(root / "file"));
    CHECK_FALSE(can_write(root / "file"));
    CHECK_FALSE(can_write(root / "new"));
    CHECK_FALSE(can_write("/dev/shm/tideline_confine_test"));
    CHECK(can_write("/dev/null"));
    std::error_code error;
    CHECK_FALSE(fs::remove(root / "file", error));
    CHECK_FALSE(fs::remove(root / "empty", error));
    CHECK_FALSE(fs::create_directory(root / "made", error));
    fs::create_symlink("file", root / "link", error);
    CHECK(error);
    fs::rename(root / "file", root / "renamed", error);
    CHECK(error);
    std::thread([&] { CHECK_FALSE(can_write(root / "new")); }).join();
  }).join();
  if (!is_denied) WARN("the kernel has no Landlock: not tested");
  CHECK(can_read(root / "file"));
  CHECK(can_write(root / "new"));
}

TEST_CASE("what is no folder confines nothing") {
  const test::TemporaryFolder folder;
  std::thread([&] {
    CHECK_FALSE(confine_thread({{-1}, {}}));
    CHECK(can_write(folder.file("new")));
  }).join();
}

}  // namespace tideline
