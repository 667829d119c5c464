#include "core/checkpoint/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

namespace tideline::checkpoint {
namespace {

using Catch::Matchers::Contains;

// What it hears; it lets `go_on` waits pass.
class Listening final : public Progress {
 public:
  explicit Listening(int go_on) : go_on_(go_on) {}
  bool report(std::string_view stage, std::int64_t, std::int64_t) override {
    last = stage;
    return --go_on_ >= 0;
  }
  std::string last;

 private:
  int go_on_;
};

}  // namespace

TEST_CASE("a folder whose lock somebody else keeps is an error after a while, and names them") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("");
  const Descriptor other(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  REQUIRE(::flock(other.value(), LOCK_EX) == 0);
  Listening patient(1000);
  const auto refused = FolderLock::take(path, patient, 12);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kIo);
  CHECK_THAT(refused.error().message, Contains(path) && Contains("kept it for 0.6 s"));
  CHECK_THAT(patient.last, Contains("waiting for the lock of " + path));
  CHECK_THAT(patient.last,
             Contains("process " + std::to_string(::getpid())) || Contains("another process"));
  Listening hasty(2);
  CHECK(FolderLock::take(path, hasty).error().code == Code::kCancelled);
  REQUIRE(::flock(other.value(), LOCK_UN) == 0);
  Progress silent;
  CHECK(FolderLock::take(path, silent, 0));
}

TEST_CASE("the lock of a folder excludes others until it is gone") {
  const test::TemporaryFolder folder;
  Progress silent;
  {
    const auto first = FolderLock::take(folder.file(""), silent);
    REQUIRE(first);
    CHECK_FALSE(FolderLock::take(folder.file(""), silent, 0));
  }
  CHECK(FolderLock::take(folder.file(""), silent, 0));
  CHECK(FolderLock::take(folder.file("missing"), silent, 0));  // writing there says what is wrong
}

}  // namespace tideline::checkpoint
