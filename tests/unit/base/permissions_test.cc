#include "core/base/permissions.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "core/base/output_file.h"
#include "core/base/output_folder.h"
#include "core/base/strictest.h"
#include "tests/support/temporary_folder.h"

namespace tideline {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

}  // namespace

TEST_CASE("A file of another thread is not open to everybody while we write", "[base]") {
  const test::TemporaryFolder folder;
  const std::string written = folder.file("written");
  std::atomic<bool> is_done = false;
  std::thread writer([&] {
    for (int i = 0; i < 300; ++i) {
      static_cast<void>(OutputFile::create(written, true));
      static_cast<void>(OutputFolder::create(folder.file("folder"), true, never_replace()));
    }
    is_done = true;
  });
  int too_open = 0;
  const std::string other = folder.file("other");
  while (!is_done) {
    const int file = ::open(other.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0) break;
    ::close(file);
    if (mode_of(other) != new_file_mode(0666)) ++too_open;
    ::unlink(other.c_str());
  }
  writer.join();
  CHECK(too_open == 0);
}

TEST_CASE("Files and folders get the permissions that the user leaves to new ones", "[base]") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("ours"), "content", false));
  const int file = ::open(folder.file("plain").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
  REQUIRE(file >= 0);
  ::close(file);
  CHECK(mode_of(folder.file("ours")) == mode_of(folder.file("plain")));
  auto ours = OutputFolder::create(folder.file("our folder"), false, never_replace());
  REQUIRE(ours);
  REQUIRE(ours->commit());
  REQUIRE(::mkdir(folder.file("plain folder").c_str(), 0777) == 0);
  CHECK(mode_of(folder.file("our folder")) == mode_of(folder.file("plain folder")));
}

TEST_CASE("nobody may read an output who may not read its input", "[base]") {
  constexpr gid_t kOurs = 100, kTheirs = 200;
  CHECK(no_wider(0644, kOurs, {}) == 0644);
  CHECK(no_wider(0644, kOurs, {0600, kOurs}) == 0600);
  CHECK(no_wider(0644, kOurs, {0640, kOurs}) == 0640);
  // Its group is another: the members of ours are strangers to it.
  CHECK(no_wider(0644, kOurs, {0640, kTheirs}) == 0600);
  CHECK(no_wider(0644, kOurs, {0604, kOurs}) == 0604);
  CHECK(no_wider(0644, kOurs, {0604, kTheirs}) == 0644);
  CHECK(no_wider(0664, kOurs, {0444, kTheirs}) == 0644);
  CHECK(no_wider(0755, kOurs, {0700, kOurs}) == 0700);
  CHECK(no_wider(0644, kOurs, {0, kOurs}) == 0600);  // the owner may write what is theirs
}

TEST_CASE("a file keeps its permissions when it is replaced, wider or narrower", "[base]") {
  const test::TemporaryFolder folder;
  REQUIRE(write_file(folder.file("out"), "old", false));
  for (const mode_t mode : {0600U, 0666U, 0400U, 0755U}) {
    REQUIRE(::chmod(folder.file("out").c_str(), mode) == 0);
    REQUIRE(write_file(folder.file("out"), "new", true, Readers{0600, {}}));
    CHECK(mode_of(folder.file("out")) == mode);
  }
}

TEST_CASE("what is made of two files is for those who may read both", "[base]") {
  const gid_t ours = 10;
  const gid_t theirs = 20;
  CHECK(strictest({0644, ours}, {0600, ours}).mode == 0600);
  CHECK(strictest({0600, ours}, {0644, ours}).mode == 0600);
  CHECK(strictest({0640, ours}, {0640, ours}).mode == 0640);
  // Nobody but the owner is known to be in both groups.
  CHECK(strictest({0640, ours}, {0640, theirs}).mode == 0600);
  CHECK(strictest({0640, ours}, {0644, theirs}).mode == 0640);
  CHECK(strictest({0640, ours}, {0644, theirs}).group == ours);
  CHECK(strictest(Readers(), {0640, theirs}).mode == 0640);
  CHECK(strictest(Readers(), {0640, theirs}).group == theirs);
  CHECK(as_folder({0640, ours}).mode == 0750);
  CHECK(as_folder({0600, ours}).mode == 0700);
}

}  // namespace tideline
