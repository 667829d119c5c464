// Tested by tests/unit/runtime/spawn_test.cc.
#include "core/runtime/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/base/descriptor.h"
#include "core/base/text.h"

namespace tideline::runtime {
namespace {

// The actions and attributes of posix_spawn, freed in any case.
class SpawnActions {
 public:
  SpawnActions() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~SpawnActions() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  // `from`, which is not `to`, becomes `to`; -1: /dev/null does.
  int place(int from, int to) {
    if (from < 0) return ::posix_spawn_file_actions_addopen(&actions, to, "/dev/null", O_RDWR, 0);
    return ::posix_spawn_file_actions_adddup2(&actions, from, to);
  }

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

constexpr int kFirstUnused = 4;  // the child has 0 to 3

// `fd` under another number, one that is free and that the child does not use; -1 stays -1. Placing
// one descriptor must not overwrite another one that is still to be placed.
Result<int> out_of_the_way(int fd) {
  if (fd < 0) return -1;
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, kFirstUnused);
  if (copy < 0) return fail(Code::kIo, "cannot copy a descriptor: {}", std::strerror(errno));
  return copy;
}

int prepare(SpawnActions& spawned, int output, int errors, int extra) {
  int code = spawned.place(-1, STDIN_FILENO);
  if (code == 0) code = spawned.place(output, STDOUT_FILENO);
  if (code == 0) code = spawned.place(errors, STDERR_FILENO);
  if (code == 0) code = spawned.place(extra, STDERR_FILENO + 1);
  if (code == 0) code = ::posix_spawn_file_actions_addclosefrom_np(&spawned.actions, kFirstUnused);
  return code;
}

int set_attributes(SpawnActions& spawned) {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&spawned.attributes, &signals);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) ::sigaddset(&signals, signal);
  ::posix_spawnattr_setsigdefault(&spawned.attributes, &signals);
  ::posix_spawnattr_setpgroup(&spawned.attributes, 0);
  return ::posix_spawnattr_setflags(
      &spawned.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

}  // namespace

Result<pid_t> spawn(const std::string& program, const std::vector<std::string>& arguments,
                    const Descriptors& descriptors) {
  TIDELINE_TRY(const int output_fd, out_of_the_way(descriptors.output));
  const Descriptor output(output_fd);
  TIDELINE_TRY(const int errors_fd, out_of_the_way(descriptors.errors));
  const Descriptor errors(errors_fd);
  TIDELINE_TRY(const int extra_fd, out_of_the_way(descriptors.extra));
  const Descriptor extra(extra_fd);
  SpawnActions spawned;
  int code = prepare(spawned, output.value(), errors.value(), extra.value());
  if (code == 0) code = set_attributes(spawned);
  std::vector<std::string> owned = arguments;  // the interface takes them without const
  std::vector<char*> words;
  words.reserve(owned.size() + 1);
  for (std::string& word : owned) words.push_back(word.data());
  words.push_back(nullptr);
  pid_t process = -1;
  if (code == 0) {
    code = ::posix_spawnp(&process, program.c_str(), &spawned.actions, &spawned.attributes,
                          words.data(), environ);
  }
  if (code == ENOENT) return fail(Code::kNotFound, "{}: no such program", program);
  if (code != 0) return fail(Code::kIo, "{}: cannot start: {}", program, std::strerror(code));
  return process;
}

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() > limit) line = "... " + line.substr(line.size() - limit);
  return printable(line, 4 * limit + 16);
}

}  // namespace tideline::runtime
