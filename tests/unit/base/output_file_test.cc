#include "core/base/output_file.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a file appears whole, and leaves nothing beside it") {
  const test::TemporaryFolder folder;
  const std::string large(3 << 20, 'x');  // more than the buffer
  auto file = OutputFile::create(folder.file("out"), false);
  REQUIRE(file);
  REQUIRE(file->append("head "));
  REQUIRE(file->append(large));
  REQUIRE(file->append(" tail"));
  CHECK_FALSE(std::filesystem::exists(folder.file("out")));
  REQUIRE(file->commit());
  CHECK(content(folder.file("out")) == "head " + large + " tail");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a file that is given up leaves nothing") {
  const test::TemporaryFolder folder;
  {
    auto file = OutputFile::create(folder.file("out"), false);
    REQUIRE(file);
    REQUIRE(file->append("half"));
    CHECK(folder.entries() == 1);
  }
  CHECK(folder.entries() == 0);
}

TEST_CASE("an existing file is replaced only on request") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("out"), "old", false));
  const Status refused = write_file(folder.file("out"), "new", false);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == folder.file("out") + ": exists; give {force} to replace it");
  CHECK(content(folder.file("out")) == "old");
  REQUIRE(write_file(folder.file("out"), "new", true));
  CHECK(content(folder.file("out")) == "new");
}

TEST_CASE("a file that came in the meantime is not replaced") {
  const test::TemporaryFolder folder;
  auto file = OutputFile::create(folder.file("out"), false);
  REQUIRE(file);
  std::ofstream(folder.file("out")) << "somebody else's";
  CHECK_FALSE(file->commit());
  CHECK(content(folder.file("out")) == "somebody else's");
}

TEST_CASE("folders, devices and missing folders are refused by name") {
  const test::TemporaryFolder folder;
  CHECK_FALSE(OutputFile::create(folder.file(""), true));
  CHECK_FALSE(OutputFile::create("/dev/null", true));
  const auto missing = OutputFile::create(folder.file("no/such/out"), false);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == Code::kIo);
  CHECK(missing.error().message.find("no/such/out") != std::string::npos);
}

TEST_CASE("two files appear together or not at all") {
  const test::TemporaryFolder folder;
  auto first = OutputFile::create(folder.file("a"), false);
  auto second = OutputFile::create(folder.file("b"), false);
  REQUIRE(first);
  REQUIRE(second);
  REQUIRE(commit_together({&*first, &*second}));
  CHECK(folder.entries() == 2);
}

TEST_CASE("of three files none stays when the last cannot be put in its place") {
  const test::TemporaryFolder folder;
  std::vector<OutputFile> files;
  for (const char* name : {"a", "b", "c"}) {
    auto file = OutputFile::create(folder.file(name), false);
    REQUIRE(file);
    files.push_back(std::move(*file));
  }
  std::ofstream(folder.file("c")) << "in the way";
  CHECK_FALSE(commit_together({&files[0], &files[1], &files[2]}));
  files.clear();
  CHECK(folder.entries() == 1);
  CHECK(content(folder.file("c")) == "in the way");
}

TEST_CASE("files that were replaced come back when the last cannot be put in its place") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("a"), "old a", false));
  auto first = OutputFile::create(folder.file("a"), true);
  auto second = OutputFile::create(folder.file("b"), true);  // there is nothing to replace
  auto third = OutputFile::create(folder.file("c"), true);
  REQUIRE((first && second && third));
  REQUIRE(first->append("new a"));
  std::filesystem::create_directory(folder.file("c"));  // somebody was faster
  const Status refused = commit_together({&*first, &*second, &*third});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == folder.file("c") + ": exists and is not a regular file; the " +
                                       "other outputs are as they were");
  first = tl::unexpected(Error{});
  third = tl::unexpected(Error{});
  CHECK(content(folder.file("a")) == "old a");
  CHECK_FALSE(std::filesystem::exists(folder.file("b")));
  CHECK(std::filesystem::is_directory(folder.file("c")));
  CHECK(folder.entries() == 2);
}

TEST_CASE("an output that cannot be taken back is named") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("a"), "old a", false));
  auto first = OutputFile::create(folder.file("a"), true);
  auto second = OutputFile::create(folder.file("b"), false);
  REQUIRE((first && second));
  struct Vanishing final : PendingOutput {
    explicit Vanishing(std::string gone) : path_(std::move(gone)) {}
    Status finish() override { return {}; }
    Status place(Undo) override {
      std::filesystem::remove(path_);  // somebody removes the first output
      return fail(Code::kIo, "third: cannot rename");
    }
    Status settle() override { return {}; }
    bool take_back() noexcept override { return false; }
    const std::string& path() const override { return path_; }
    std::string path_;
  } third(folder.file("a"));
  const Status refused = commit_together({&*first, &*second, &third});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "third: cannot rename; already written: " + folder.file("a"));
  CHECK_FALSE(std::filesystem::exists(folder.file("b")));
}

}  // namespace tideline
