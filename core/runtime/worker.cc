#include "core/runtime/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/runtime/reachable.h"
#include "core/runtime/serve.h"
#include "core/runtime/spawn.h"

namespace tideline::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLastWordsBytes = 2048;
constexpr std::size_t kShownBytes = 500;  // of them in a message
constexpr int kWorkerTickMs = 50;         // latency of cancellation

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

void make_non_blocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

tl::unexpected<Error> system_error(const char* what) {
  return fail(Code::kIo, "cannot start a worker: {}: {}", what, std::strerror(errno));
}

}  // namespace

Worker::Worker(const WorkerOptions& options) : options_(options), started_(Clock::now()) {}

Worker::Worker(Worker&& other) noexcept
    : options_(std::move(other.options_)),
      started_(other.started_),
      process_(std::exchange(other.process_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      output_(std::exchange(other.output_, -1)),
      received_(std::move(other.received_)),
      last_words_(std::move(other.last_words_)),
      has_remote_session_(std::exchange(other.has_remote_session_, false)) {}

Worker::~Worker() {
  close_remote_session();
  kill();
}

void Worker::kill() noexcept {
  if (process_ > 0) {
    ::kill(-process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }
  close_all({std::exchange(socket_, -1), std::exchange(output_, -1)});
}

Result<Worker> Worker::start(const WorkerOptions& options) {
  Worker worker(options);
  std::array<int, 2> sockets{-1, -1};
  std::array<int, 2> pipe{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    return system_error("socket");
  }
  worker.socket_ = sockets[0];
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    close_all({sockets[1]});
    return system_error("pipe");
  }
  worker.output_ = pipe[0];
  const int output = pipe[1];
  make_non_blocking(worker.socket_);
  make_non_blocking(worker.output_);
  std::vector<std::string> words = {"tideline", kWorkerArgument, std::to_string(::getpid())};
  if (!options.python.empty()) words.push_back(options.python);
  auto process =
      spawn(options.program, words, {.output = output, .errors = output, .extra = sockets[1]});
  close_all({sockets[1], output});
  if (!process) return tl::unexpected(process.error());
  worker.process_ = *process;
  return worker;
}

Result<Answer> Worker::load(const LoadRequest& request, Progress& progress) {
  auto answer = ask(MessageKind::kLoad, encode(request), progress);
  has_remote_session_ = answer && answer->code == 0 && !request.target.empty();
  return answer;
}

Result<Answer> Worker::serve(const ServeRequest& request, Progress& progress) {
  return ask(MessageKind::kServe, encode(request), progress);
}

bool Worker::is_alive() {
  if (process_ < 0) return false;
  const bool was_dead = is_dead();
  listen();
  return !was_dead;
}

// A server that does not answer forgets the session when it ends; nobody waits for it here.
void Worker::close_remote_session() noexcept {
  if (!has_remote_session_ || process_ < 0) return;
  has_remote_session_ = false;
  try {
    constexpr double kSeconds = 2;
    const double passed = std::chrono::duration<double>(Clock::now() - started_).count();
    options_.time_limit_s = passed + kSeconds;
    Progress silent;
    static_cast<void>(ask(MessageKind::kEnd, "", silent));
  } catch (...) {  // no memory for the message
  }
}

Result<Answer> Worker::run(const RunRequest& request, Progress& progress) {
  return ask(MessageKind::kRun, encode(request), progress);
}

Result<Answer> Worker::optimize(const GraphToOptimize& request, Progress& progress) {
  return ask(MessageKind::kOptimize, encode(request), progress);
}

Result<Answer> Worker::ask(MessageKind kind, std::string_view content, Progress& progress) {
  if (process_ < 0) return fail(Code::kIo, "the worker has ended before");
  received_.clear();
  if (Status status = exchange(frame(kind, content), progress); !status) {
    has_remote_session_ = false;  // it is busy, or it is gone
    kill();
    return tl::unexpected(std::move(status).error());
  }
  auto answer = decode_answer(std::string_view(received_).substr(kFrameHeadBytes));
  if (!answer) kill();
  return answer;
}

Status Worker::exchange(std::string_view out, Progress& progress) {
  looked_ = Clock::now();
  while (!answer_is_complete()) {
    TIDELINE_RETURN_IF_ERROR(wait(!out.empty()));
    TIDELINE_RETURN_IF_ERROR(look_at_servers());
    listen();
    if (!progress.report("", 0, 0)) return cancelled();
    // Asked before reading: what a worker sent before it died is still there. A child of it may
    // hold the socket open, so that no end would be read.
    const bool was_dead = is_dead();
    if (!send_some(out) || !receive_some()) return ended();
    if (was_dead && !answer_is_complete()) return ended();
    if (received_.size() >= kFrameHeadBytes) TIDELINE_RETURN_IF_ERROR(read_frame_head(received_));
  }
  return {};
}

bool Worker::answer_is_complete() const {
  if (received_.size() < kFrameHeadBytes) return false;
  const auto head = read_frame_head(received_);
  return head && received_.size() - kFrameHeadBytes >= head->content_bytes;
}

bool Worker::is_dead() const {
  siginfo_t state{};
  return ::waitid(P_PID, static_cast<id_t>(process_), &state, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == process_;
}

// Until something can be read or written, a signal comes, or a moment has passed.
Status Worker::wait(bool writing) {
  using std::chrono::duration;
  int timeout = kWorkerTickMs;
  if (options_.time_limit_s) {
    const double left = *options_.time_limit_s - duration<double>(Clock::now() - started_).count();
    if (left <= 0) {
      listen();
      return fail(Code::kIo, "stopped after the time limit of {} s{}", *options_.time_limit_s,
                  last_words_.empty() ? std::string()
                                      : fmt::format("; TensorFlow's last output: {}",
                                                    one_line(last_words_, kShownBytes)));
    }
    timeout = std::min(timeout, static_cast<int>(left * 1000) + 1);
  }
  std::array<pollfd, 2> waited{};
  waited[0] = {socket_, static_cast<short>(writing ? POLLIN | POLLOUT : POLLIN), 0};
  waited[1] = {output_, POLLIN, 0};
  const int found = ::poll(waited.data(), output_ < 0 ? 1 : 2, timeout);
  if (found < 0 && errno != EINTR) return fail(Code::kIo, "poll: {}", std::strerror(errno));
  return {};
}

// TensorFlow goes on asking a server that is gone until the limit of the run.
Status Worker::look_at_servers() {
  constexpr std::chrono::duration<double> kAround(2), kLeast(0.05);
  constexpr double kPatience = 1;
  std::vector<std::string>& servers = options_.servers;
  if (servers.empty()) return {};
  const auto between = std::max(kLeast, kAround / static_cast<double>(servers.size()));
  if (Clock::now() - looked_ < between) return {};
  next_look_ = (next_look_ + 1) % servers.size();
  const std::string why = why_unreachable(servers[next_look_], kPatience);
  looked_ = Clock::now();
  if (why == std::strerror(ECONNREFUSED)) {
    return fail(Code::kIo, "the server at {} does not take connections ({})", servers[next_look_],
                why);
  }
  // A host that is slow or far is left to the limit, and does not hold up the reading of answers.
  if (!why.empty()) servers.erase(servers.begin() + static_cast<std::ptrdiff_t>(next_look_));
  return {};
}

bool Worker::send_some(std::string_view& out) const {
  while (!out.empty()) {
    const ssize_t put = ::send(socket_, out.data(), out.size(), MSG_NOSIGNAL);
    if (put < 0) return errno == EAGAIN || errno == EINTR;
    out.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool Worker::receive_some() {
  std::array<char, 1U << 16U> piece{};
  while (true) {
    const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    received_.append(piece.data(), static_cast<std::size_t>(got));
  }
}

// Keeps the end of what the worker prints, so that its pipe never fills.
void Worker::listen() {
  std::array<char, 1U << 12U> piece{};
  while (output_ >= 0) {
    const ssize_t got = ::read(output_, piece.data(), piece.size());
    if (got < 0) return;
    if (got == 0) {
      close_all({std::exchange(output_, -1)});
      return;
    }
    last_words_.append(piece.data(), static_cast<std::size_t>(got));
    if (last_words_.size() > kLastWordsBytes) {
      last_words_.erase(0, last_words_.size() - kLastWordsBytes);
    }
  }
}

tl::unexpected<Error> Worker::ended() {
  // The socket is closed: the process ends, unless it closed it itself.
  ::kill(-process_, SIGKILL);
  int state = 0;
  while (::waitpid(std::exchange(process_, -1), &state, 0) < 0 && errno == EINTR) {
  }
  listen();
  std::string how = WIFSIGNALED(state) ? fmt::format("by signal {} ({})", WTERMSIG(state),
                                                     ::sigdescr_np(WTERMSIG(state)))
                                       : fmt::format("with exit code {}", WEXITSTATUS(state));
  if (options_.memory_limit) {
    how += fmt::format(" under a memory limit of {}", format_bytes(*options_.memory_limit));
  }
  if (!last_words_.empty()) how += "; its last output: " + one_line(last_words_, kShownBytes);
  return fail(Code::kIo, "the process that runs TensorFlow ended {}", how);
}

}  // namespace tideline::runtime
