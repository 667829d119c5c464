#include "core/base/output_folder.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

bool always(const std::string&) {
  return true;
}
bool never(const std::string&) {
  return false;
}

void fill(OutputFolder& folder, const std::string& content) {
  auto file = folder.file("a/b.txt");
  REQUIRE(file);
  REQUIRE(file->append(content));
  REQUIRE(file->commit());
}

std::string content(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t entries(const std::string& path) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(path), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a folder appears whole when it is committed, and not before") {
  const test::TemporaryFolder place;
  {
    auto folder = OutputFolder::create(place.file("out/"), false, never);
    REQUIRE(folder);
    fill(*folder, "new");
    CHECK_FALSE(fs::exists(place.file("out")));
    REQUIRE(folder->commit());
  }
  CHECK(content(place.file("out/a/b.txt")) == "new");
  CHECK(entries(place.file("")) == 1);
}

TEST_CASE("a folder that is given up leaves nothing") {
  const test::TemporaryFolder place;
  {
    auto folder = OutputFolder::create(place.file("out"), false, never);
    REQUIRE(folder);
    fill(*folder, "new");
  }
  CHECK(entries(place.file("")) == 0);
}

TEST_CASE("a folder replaces only what it may") {
  const test::TemporaryFolder place;
  fs::create_directories(place.file("out"));
  std::ofstream(place.file("out/old.txt")) << "old";
  CHECK_FALSE(OutputFolder::create(place.file("out"), true, never));
  CHECK_FALSE(OutputFolder::create(place.file("out"), false, always));
  auto folder = OutputFolder::create(place.file("out"), true, always);
  REQUIRE(folder);
  fill(*folder, "new");
  CHECK(content(place.file("out/old.txt")) == "old");
  REQUIRE(folder->commit());
  CHECK_FALSE(fs::exists(place.file("out/old.txt")));
  CHECK(content(place.file("out/a/b.txt")) == "new");
  CHECK(entries(place.file("")) == 1);
}

TEST_CASE("an empty folder is filled without being asked") {
  const test::TemporaryFolder place;
  fs::create_directories(place.file("out"));
  auto folder = OutputFolder::create(place.file("out"), false, never);
  REQUIRE(folder);
  fill(*folder, "new");
  REQUIRE(folder->commit());
  CHECK(content(place.file("out/a/b.txt")) == "new");
}

TEST_CASE("a folder is taken back when what belongs to it cannot be put in its place") {
  const test::TemporaryFolder place;
  auto folder = OutputFolder::create(place.file("out"), false, never);
  auto file = OutputFile::create(place.file("plan"), false);
  REQUIRE(folder);
  REQUIRE(file);
  fill(*folder, "new");
  std::ofstream(place.file("plan")) << "somebody was faster";
  CHECK_FALSE(commit_together({&*folder, &*file}));
  CHECK_FALSE(fs::exists(place.file("out")));
}

}  // namespace tideline
