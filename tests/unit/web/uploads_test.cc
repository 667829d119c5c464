#include "app/web/uploads.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/output_file.h"
#include "tests/support/temporary_folder.h"

namespace tideline {

namespace fs = std::filesystem;

TEST_CASE("A folder of a killed process is removed by the next one, and no other", "[uploads]") {
  const test::TemporaryFolder place;
  const auto make = [&](const char* name, fs::perms mode) {
    const std::string path = place.file(name);
    fs::create_directories(path + "/inner");
    REQUIRE(write_file(path + "/inner/graph.meta", "bytes", false));
    fs::permissions(path, mode);
    return path;
  };
  const std::string orphan = make("tideline-serve-aB3xYz", fs::perms::owner_all);
  const std::string shared = make("tideline-serve-shared", fs::perms::all);
  const std::string other = make("tideline-notes", fs::perms::owner_all);
  const std::string held = make("tideline-serve-heldXX", fs::perms::owner_all);
  fs::create_directory_symlink(other, place.file("tideline-serve-linkXX"));
  REQUIRE(write_file(place.file("tideline-serve-fileXX"), "mine", false));
  // A process that lives, whatever its number: it has the lock.
  const int lock = ::open(held.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(::flock(lock, LOCK_SH | LOCK_NB) == 0);
  const auto live = web::PrivateFolder::make(place.file(""));
  REQUIRE(live);
  REQUIRE(write_file((*live)->path() + "/graph.meta", "bytes", false));
  web::PrivateFolder::remove_orphans(place.file(""));
  CHECK_FALSE(fs::exists(orphan));
  CHECK(fs::exists(shared + "/inner/graph.meta"));
  CHECK(fs::exists(other + "/inner/graph.meta"));
  CHECK(fs::exists(held + "/inner/graph.meta"));
  CHECK(fs::exists((*live)->path() + "/graph.meta"));
  CHECK(fs::is_symlink(place.file("tideline-serve-linkXX")));
  CHECK(fs::exists(place.file("tideline-serve-fileXX")));
  ::close(lock);
  web::PrivateFolder::remove_orphans(place.file(""));
  CHECK_FALSE(fs::exists(held));
  CHECK(fs::exists((*live)->path()));
}

TEST_CASE("A folder that is made while others look for orphans stays", "[uploads]") {
  const test::TemporaryFolder place;
  const std::string folder = place.file("");
  const pid_t looking = ::fork();
  if (looking == 0) {
    while (true) web::PrivateFolder::remove_orphans(folder);
  }
  int lost = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto made = web::PrivateFolder::make(folder);
    if (!made || !write_file((*made)->path() + "/a", "bytes", false)) ++lost;
  }
  ::kill(looking, SIGKILL);
  ::waitpid(looking, nullptr, 0);
  CHECK(lost == 0);
}

}  // namespace tideline
