#include "core/runtime/spawn.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "core/base/descriptor.h"
#include "tests/support/temporary_folder.h"

namespace tideline::runtime {
namespace {

// A file to write to, as descriptor `number`, which must be free.
int open_at(const std::string& path, int number) {
  REQUIRE(::fcntl(number, F_GETFD) == -1);
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  REQUIRE(file >= 0);
  if (file == number) return file;
  REQUIRE(::dup3(file, number, O_CLOEXEC) == number);
  ::close(file);
  return number;
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int ended_with(pid_t process) {
  int state = 0;
  REQUIRE(::waitpid(process, &state, 0) == process);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

const std::vector<std::string> kThreeWords = {"sh", "-c",
                                              "echo output; echo errors >&2; echo extra >&3"};

}  // namespace

TEST_CASE("A child's errors stay out of its output when a hundred files are open", "[runtime]") {
  const test::TemporaryFolder folder;
  // Whoever has so many files open is given numbers like these.
  const Descriptor output(open_at(folder.file("output"), 66));
  const Descriptor errors(open_at(folder.file("errors"), 64));
  const Descriptor extra(open_at(folder.file("extra"), 65));
  const auto process =
      spawn("sh", kThreeWords,
            {.output = output.value(), .errors = errors.value(), .extra = extra.value()});
  REQUIRE(process);
  CHECK(ended_with(*process) == 0);
  CHECK(content(folder.file("output")) == "output\n");
  CHECK(content(folder.file("errors")) == "errors\n");
  CHECK(content(folder.file("extra")) == "extra\n");
}

TEST_CASE("A descriptor may be given twice, or be one that the child gets anyway", "[runtime]") {
  const test::TemporaryFolder folder;
  const Descriptor both(open_at(folder.file("both"), 70));
  const auto process =
      spawn("sh", {"sh", "-c", "echo output; echo errors >&2"},
            {.output = both.value(), .errors = both.value(), .extra = STDERR_FILENO});
  REQUIRE(process);
  CHECK(ended_with(*process) == 0);
  CHECK(content(folder.file("both")) == "output\nerrors\n");
}

TEST_CASE("A child gets nothing else that is open here", "[runtime]") {
  const test::TemporaryFolder folder;
  const Descriptor output(open_at(folder.file("output"), 70));
  const auto process =
      spawn("sh", {"sh", "-c", "for file in /proc/self/fd/*; do echo ${file##*/}; done"},
            {.output = output.value()});
  REQUIRE(process);
  CHECK(ended_with(*process) == 0);
  // The shell opens the folder that it lists as the first free one.
  CHECK(content(folder.file("output")) == "0\n1\n2\n3\n4\n");
}

TEST_CASE("A program that does not exist is not found", "[runtime]") {
  const auto process = spawn("no-such-program", {"no-such-program"}, {});
  REQUIRE_FALSE(process);
  CHECK(process.error().code == Code::kNotFound);
}

}  // namespace tideline::runtime
