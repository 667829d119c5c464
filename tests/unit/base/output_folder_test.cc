#include "core/base/output_folder.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

// All files, as a rule that permits everything lists them.
Result<std::vector<std::string>> always(const std::string& folder, const std::string&) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) {
      files.push_back(entry.path().lexically_relative(folder).string());
    }
  }
  return files;
}

const MayReplace never = never_replace();

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

TEST_CASE("folders in folders are for the same readers, however many a file needs") {
  const test::TemporaryFolder place;
  auto folder = OutputFolder::create(place.file("out"), false, never, Readers{0700, {}});
  REQUIRE(folder);
  auto file = folder->file("a/b/c/d.txt");
  REQUIRE(file);
  REQUIRE(file->append("deep"));
  REQUIRE(file->commit());
  REQUIRE(folder->commit());
  for (const char* name : {"out", "out/a", "out/a/b", "out/a/b/c"}) {
    INFO(name);
    CHECK(fs::status(place.file(name)).permissions() == fs::perms::owner_all);
  }
  CHECK(content(place.file("out/a/b/c/d.txt")) == "deep");
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

TEST_CASE("a file that comes between check and rename is not removed with the old folder") {
  const test::TemporaryFolder place;
  fs::create_directories(place.file("out"));
  std::ofstream(place.file("out/old.txt")) << "old";
  const MayReplace only_old = [](const std::string& folder,
                                 const std::string& shown) -> Result<std::vector<std::string>> {
    if (entries(folder) == 1) return std::vector<std::string>{"old.txt"};
    return fail(Code::kInvalidArgument, "{}: holds something else", shown);
  };
  {
    auto folder = OutputFolder::create(place.file("out"), true, only_old);
    REQUIRE(folder);
    fill(*folder, "new");
    std::ofstream(place.file("out/mine.txt")) << "mine";
    const Status refused = folder->commit();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message == place.file("out") + ": holds something else");
  }
  CHECK(content(place.file("out/old.txt")) == "old");
  CHECK(content(place.file("out/mine.txt")) == "mine");
  CHECK(entries(place.file("")) == 1);
}

TEST_CASE("a file that comes while the old folder is removed stays, and the message says where") {
  const test::TemporaryFolder place;
  fs::create_directories(place.file("out/deep"));
  std::ofstream(place.file("out/old.txt")) << "old";
  const MayReplace too_late = [](const std::string& folder, const std::string& shown) {
    auto files = always(folder, shown);
    if (folder != shown) std::ofstream(folder + "/deep/mine.txt") << "mine";
    return files;
  };
  auto folder = OutputFolder::create(place.file("out"), true, too_late);
  REQUIRE(folder);
  fill(*folder, "new");
  const Status kept = folder->commit();
  REQUIRE_FALSE(kept);
  const std::string& said = kept.error().message;
  const std::string words = ": was written, but what it replaced is still there as ";
  REQUIRE(said.starts_with(place.file("out") + words));
  const std::size_t begin = place.file("out").size() + words.size();
  const std::string aside = said.substr(begin, said.find(": ", begin) - begin);
  CHECK(content(aside + "/deep/mine.txt") == "mine");
  CHECK_FALSE(fs::exists(aside + "/old.txt"));
  CHECK(content(place.file("out/a/b.txt")) == "new");
}

TEST_CASE("a name that leads out of the folder is refused") {
  const test::TemporaryFolder place;
  std::ofstream(place.file("source")) << "x";
  auto folder = OutputFolder::create(place.file("out"), false, never);
  REQUIRE(folder);
  Progress silent;
  for (const char* name : {"../escaped", "a/../../escaped", "/tmp/escaped", "", "a/..", ".."}) {
    INFO(name);
    CHECK_FALSE(folder->file(name));
    CHECK_FALSE(folder->copy(place.file("source"), name, silent));
    CHECK_FALSE(folder->make_folder(name));
  }
  CHECK_FALSE(fs::exists(place.file("escaped")));
}

TEST_CASE("a message about a full folder names the output, not the temporary folder") {
  const test::TemporaryFolder place;
  auto folder = OutputFolder::create(place.file("out"), false, never);
  REQUIRE(folder);
  const auto file = folder->file("a/b.txt");
  REQUIRE(file);
  CHECK(file->path() == place.file("out/a/b.txt"));
}

TEST_CASE("a folder that was replaced comes back when what belongs to it cannot be placed") {
  const test::TemporaryFolder place;
  fs::create_directories(place.file("out"));
  std::ofstream(place.file("out/old.txt")) << "old";
  {
    auto folder = OutputFolder::create(place.file("out"), true, always);
    auto file = OutputFile::create(place.file("plan"), false);
    REQUIRE((folder && file));
    fill(*folder, "new");
    std::ofstream(place.file("plan")) << "somebody was faster";
    CHECK_FALSE(commit_together({&*folder, &*file}));
  }
  CHECK(content(place.file("out/old.txt")) == "old");
  CHECK(entries(place.file("out")) == 1);
  CHECK(entries(place.file("")) == 2);
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
