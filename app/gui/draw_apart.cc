// Tested by tests/golden/files/limits_test.py.
#include "app/gui/draw_apart.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include "core/base/descriptor.h"
#include "core/base/units.h"

namespace tideline::gui {
namespace {

constexpr unsigned kMostSeconds = 120;  // without memory, threads of a library may wait for ever

rlim_t limit_of_memory() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

std::string under_the_limit() {
  return fmt::format("under a limit of {} of memory (ulimit -v)",
                     format_bytes(static_cast<Bytes>(limit_of_memory())));
}

void write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(to, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

// The child: a byte that says what follows, the code of an error or kDrawn, and then that.
constexpr char kDrawn = -1;

void answer(int to, const std::function<Result<std::string>()>& draw) noexcept {
  try {
    const Result<std::string> drawn = draw();
    const char kind = drawn ? kDrawn : static_cast<char>(drawn.error().code);
    write_all(to, {&kind, 1});
    write_all(to, drawn ? *drawn : drawn.error().message);
  } catch (const std::exception&) {
    const char kind = static_cast<char>(Code::kIo);
    write_all(to, {&kind, 1});
    write_all(to, "out of memory");
  }
}

void be_the_child(int to, const std::function<Result<std::string>()>& draw) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(number, SIG_DFL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::alarm(kMostSeconds);
  // Mesa lists the drivers that it could not load.
  const Descriptor quiet(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (quiet.value() >= 0) ::dup2(quiet.value(), STDERR_FILENO);
  answer(to, draw);
  ::_exit(0);  // without the destructors and buffers of the parent
}

std::string read_all(int from) {
  std::string text;
  std::array<char, 1U << 16U> piece{};
  while (true) {
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

bool is_memory_limited() {
  return limit_of_memory() != RLIM_INFINITY;
}

Result<std::string> draw_apart(const std::function<Result<std::string>()>& draw) {
  std::array<int, 2> pipe{-1, -1};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    return fail(Code::kIo, "cannot draw: {}", std::strerror(errno));
  }
  const Descriptor from(pipe[0]);
  const pid_t child = ::fork();
  if (child == 0) be_the_child(pipe[1], draw);
  ::close(pipe[1]);
  if (child < 0) return fail(Code::kIo, "cannot draw: {}", std::strerror(errno));
  const std::string said = read_all(from.value());
  int state = 0;
  while (::waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(state)) {
    const int number = WTERMSIG(state);
    if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT) {
      return fail(Code::kCancelled, "interrupted");
    }
    return fail(Code::kIo,
                "cannot draw: OpenGL's library ended by signal {} ({}) {}; expected more memory, "
                "or a picture as .svg",
                number, ::sigdescr_np(number), under_the_limit());
  }
  if (said.empty() || WEXITSTATUS(state) != 0) {
    return fail(Code::kIo,
                "cannot draw: OpenGL's library ended the process {}; expected more memory, or a "
                "picture as .svg",
                under_the_limit());
  }
  if (said.front() == kDrawn) return said.substr(1);
  return fail(static_cast<Code>(said.front()), "{} {}", said.substr(1), under_the_limit());
}

}  // namespace tideline::gui
