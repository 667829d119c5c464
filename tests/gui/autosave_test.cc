#include "app/gui/autosave.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>

#include "app/session/viewer.h"
#include "core/base/source_bytes.h"
#include "tests/support/temporary_folder.h"

namespace tideline::gui {
namespace {

std::string content(const std::string& path) {
  const auto bytes = open_bytes(path);
  return bytes ? std::string((*bytes)->bytes()) : std::string();
}

// Another process of this program that only waits; ended by the destructor.
class OtherWindow {
 public:
  OtherWindow() : process_(::fork()) {
    if (process_ != 0) return;
    while (true) ::pause();
  }
  ~OtherWindow() { end(); }
  OtherWindow(const OtherWindow&) = delete;
  OtherWindow& operator=(const OtherWindow&) = delete;
  void end() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  [[nodiscard]] std::string script() const { return fmt::format("unwritten-{}.sh", process_); }

 private:
  pid_t process_;
};

}  // namespace

TEST_CASE("A window leaves the unwritten policies of another open window alone", "[autosave]") {
  const test::TemporaryFolder folder;
  const std::string settings = folder.file("settings.json");
  OtherWindow first;
  const std::string script = folder.file(first.script());
  std::ofstream(script) << "first";
  CHECK(find_unwritten(settings).empty());
  CHECK(content(script) == "first");
  CHECK(unwritten_path(settings) != script);
  first.end();
  const auto found = find_unwritten(settings);
  REQUIRE(found.size() == 1);
  CHECK(content(found[0]) == "first");
  CHECK_FALSE(std::filesystem::exists(script));
}

TEST_CASE("What two killed windows left unwritten is offered, both of it", "[autosave]") {
  const test::TemporaryFolder folder;
  const std::string settings = folder.file("settings.json");
  {
    const OtherWindow first;
    const OtherWindow second;
    std::ofstream(folder.file(first.script())) << "one";
    std::ofstream(folder.file(second.script())) << "two";
  }
  const auto found = find_unwritten(settings);
  REQUIRE(found.size() == 2);
  CHECK(content(found[0]) + content(found[1]) == "onetwo");
  // Offered once; kept, until many others are.
  CHECK(find_unwritten(settings).empty());
  CHECK(content(found[0]) == "one");
}

TEST_CASE("A script of a number that another program has now is offered", "[autosave]") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("unwritten-1.sh")) << "old";  // the first process of the system
  std::ofstream(folder.file(fmt::format("unwritten-{}.sh", ::getpid()))) << "older";
  std::ofstream(folder.file("unwritten-notes.sh")) << "mine";
  CHECK(find_unwritten(folder.file("settings.json")).size() == 2);
  CHECK(content(folder.file("unwritten-notes.sh")) == "mine");
}

TEST_CASE("Offered scripts do not pile up", "[autosave]") {
  const test::TemporaryFolder folder;
  for (int i = 0; i < 2 * kMostKept; ++i) {
    std::ofstream(folder.file("unwritten-1.sh")) << i;
    const auto found = find_unwritten(folder.file("settings.json"));
    REQUIRE(found.size() == 1);
    CHECK(content(found[0]) == std::to_string(i));
  }
  CHECK(folder.entries() == kMostKept);
}

}  // namespace tideline::gui
