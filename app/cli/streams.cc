// Tested by tests/golden/files/streams_test.py.
#include "app/cli/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "app/cli/terminal.h"

namespace tideline::cli {
namespace {

// A descriptor, and the errno of the first failure to write to it.
struct Target {
  int fd;
  std::atomic<int> error = 0;
};
Target& output() {
  static Target target{STDOUT_FILENO};
  return target;
}
Target& errors() {
  static Target target{STDERR_FILENO};
  return target;
}

ssize_t write_or_drop(void* cookie, const char* bytes, std::size_t size) {
  auto& target = *static_cast<Target*>(cookie);
  std::size_t done = 0;
  while (done < size && target.error == 0) {
    const ssize_t wrote = ::write(target.fd, bytes + done, size - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      target.error = errno;
    } else {
      done += static_cast<std::size_t>(wrote);
    }
  }
  return static_cast<ssize_t>(size);
}

std::FILE* stream(Target& target, int buffering) {
  std::FILE* made = ::fopencookie(&target, "w", {nullptr, write_or_drop, nullptr, nullptr});
  if (made != nullptr) std::setvbuf(made, nullptr, buffering, BUFSIZ);
  return made;
}

}  // namespace

void install_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest free number is `fd`. Reading from it gives nothing, writing to it is an error.
    static_cast<void>(::open("/dev/null", O_RDONLY));
  }
  if (std::FILE* made = stream(output(), ::isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF)) {
    stdout = made;
  }
  if (std::FILE* made = stream(errors(), _IONBF)) stderr = made;
}

bool is_output_gone() {
  return output().error != 0;
}

int finish_streams(int code) {
  std::fflush(stdout);
  const int failed = output().error;
  if (failed == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    static_cast<void>(std::raise(SIGPIPE));
  }
  if (failed != 0) {
    complain("tideline: standard output: cannot write: {}\n", std::strerror(failed));
  }
  std::fflush(stderr);
  const bool was_dropped = failed != 0 || errors().error != 0;
  return was_dropped && code == kExitDone ? kExitData : code;
}

}  // namespace tideline::cli
