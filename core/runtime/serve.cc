#include "core/runtime/serve.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>

#include "core/base/confine.h"
#include "core/runtime/messages.h"
#include "core/runtime/tensorflow_session.h"

namespace tideline::runtime {
namespace {

// Grows with what arrives, not with what is announced.
constexpr std::size_t kReadBytes = std::size_t{1} << 20U;

bool read_exactly(std::string& out, std::uint64_t count) {
  out.clear();
  while (out.size() < count) {
    const std::size_t before = out.size();
    const std::size_t piece = std::min<std::uint64_t>(count - before, kReadBytes);
    out.resize(before + piece);
    const ssize_t got = ::read(kWorkerSocket, out.data() + before, piece);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    out.resize(before + static_cast<std::size_t>(got < 0 ? 0 : got));
  }
  return true;
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::send(kWorkerSocket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0 && errno != EINTR) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put < 0 ? 0 : put));
  }
  return true;
}

Answer worker_error(std::string message) {
  Answer answer;
  answer.code = Answer::kWorkerError;
  answer.message = std::move(message);
  return answer;
}

class Server {
 public:
  Answer answer(MessageKind kind, std::string_view content) {
    try {
      if (kind == MessageKind::kLoad) return load(content);
      if (kind == MessageKind::kRun && session_) return run(content);
      return worker_error("a request out of order");
    } catch (const std::bad_alloc&) {
      return worker_error("out of memory");
    } catch (const std::exception& error) {
      return worker_error(error.what());
    }
  }

 private:
  Answer load(std::string_view content) {
    auto request = decode_load(content);
    if (!request) return worker_error(request.error().message);
    if (session_) return worker_error("a second graph");
    if (request->memory_limit) {
      const auto bytes = static_cast<rlim_t>(*request->memory_limit);
      const rlimit limit{bytes, bytes};
      if (::setrlimit(RLIMIT_AS, &limit) != 0) return worker_error("cannot limit the memory");
    }
    // Before there are other threads, which would not be denied it. An old kernel cannot deny it.
    if (!request->may_write) static_cast<void>(deny_writing());
    auto api = load_tensorflow(request->library);
    if (!api) return worker_error(api.error().message);
    api_ = *api;
    session_.emplace(api_);
    Answer answer = session_->load(*request);
    if (answer.code != 0) session_.reset();  // the caller may ask with another graph
    return answer;
  }

  Answer run(std::string_view content) {
    auto request = decode_run(content);
    if (!request) return worker_error(request.error().message);
    return session_->run(*request);
  }

  TensorflowApi api_{};
  std::optional<TensorflowSession> session_;
};

// The worker must not outlive its parent, and a crash must not leave a core file.
bool tie_to_parent(long parent) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return ::getppid() == parent;  // not so when it died before the call
}

int serve() {
  // Read by TensorFlow when it is loaded. oneDNN changes the order of sums and, under a memory
  // limit, was seen to hang where the plain allocator fails at once.
  ::setenv("TF_ENABLE_ONEDNN_OPTS", "0", 1);
  ::setenv("TF_CPP_MIN_LOG_LEVEL", "2", 1);
  Server server;
  std::string content;
  while (read_exactly(content, kFrameHeadBytes)) {
    const auto head = read_frame_head(content);
    if (!head || !read_exactly(content, head->content_bytes)) return 1;
    const Answer answer = server.answer(head->kind, content);
    if (!write_all(frame(MessageKind::kAnswer, encode(answer)))) return 1;
  }
  return 0;
}

}  // namespace

std::optional<int> serve_if_asked(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != kWorkerArgument) return std::nullopt;
  if (!tie_to_parent(std::strtol(argv[2], nullptr, 10))) return 1;
  const int code = serve();
  std::_Exit(code);  // destructors of TensorFlow only cost time
}

}  // namespace tideline::runtime
