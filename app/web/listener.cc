// Tested by integration/serve_test.py.
#include "app/web/listener.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

using boost::asio::ip::tcp;

tl::unexpected<Error> no_socket(std::string_view where) {
  return fail(Code::kIo, "{}: {}", printable(where), std::strerror(errno));
}

// Whoever may write to the folder could put another socket into its place.
Status check_folder(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return no_socket(folder);
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077U) != 0) {
    return fail(Code::kInvalidArgument,
                "{}: expected a folder of this user that nobody else may enter (mode 0700)",
                printable(folder));
  }
  return {};
}

// Whether nobody listens on the socket of this name: its process was killed.
bool is_orphan(const std::string& path, const sockaddr_un& where) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  return ::connect(probe.value(), reinterpret_cast<const sockaddr*>(&where), sizeof(where)) != 0 &&
         errno == ECONNREFUSED;
}

bool is_same_user(int socket) {
  ucred peer = {};
  socklen_t bytes = sizeof(peer);
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 &&
         peer.uid == ::geteuid();
}

// One that is not served: says why and goes.
void turn_away(int socket) {
  const std::string body =
      error_response(429, "too_many", "too many connections; expected at most 64").body;
  const std::string text = fmt::format(
      "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nContent-Length: "
      "{}\r\nConnection: close\r\n\r\n{}",
      body.size(), body);
  ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::shutdown(socket, SHUT_WR);
}

// The connections that are served, each by a thread of its own. A connection for which there is no
// place, no thread or no memory takes the place of one that only waits, and is turned away where
// there is none. Nothing that others do from outside ends the server.
class Connections {
 public:
  Connections(int stop, Application& application, const Deadlines& deadlines)
      : stop_(stop), application_(application), deadlines_(deadlines) {}

  /// Takes over `socket`. Cost: may wait for the thread of a connection that makes room.
  void take(int socket) {
    try {
      if (strangers() >= kMostStrangers) end_one();
      if (running_.size() < kMostConnections || end_one()) {
        do {
          if (start(socket)) return;
        } while (end_one());
      }
      turn_away(socket);
    } catch (const std::bad_alloc&) {
      // There is not even room for the refusal.
    }
    ::close(socket);
  }

  /// Those that have never shown that they may ask.
  [[nodiscard]] std::size_t strangers() const {
    return static_cast<std::size_t>(
        std::count_if(running_.begin(), running_.end(),
                      [](const Running& one) { return !one.place.was_held(); }));
  }

  /// Forgets those that are over.
  void tidy() {
    for (auto at = running_.begin(); at != running_.end();) {
      const auto one = at++;
      if (one->is_over) forget(one);
    }
  }

  /// Ends the oldest connection that only waits, first of those that have never shown that they may
  /// ask. False if there is none.
  bool end_one() {
    for (const bool was_held : {false, true}) {
      for (auto at = running_.begin(); at != running_.end(); ++at) {
        if (at->place.was_held() != was_held || !at->place.give_up()) continue;
        ::shutdown(at->socket, SHUT_RDWR);
        forget(at);
        return true;
      }
    }
    return false;
  }

 private:
  struct Running {
    explicit Running(int fd) : socket(fd) {}
    ~Running() {
      if (thread.joinable()) thread.join();
      if (socket >= 0) ::close(socket);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    int socket;
    ConnectionPlace place;
    std::atomic<bool> is_over = false;
    std::jthread thread;
  };
  using List = std::list<Running>;

  void forget(List::iterator one) { running_.erase(one); }

  // False: there is no thread or no memory for it; `socket` is then still the caller's.
  bool start(int socket) {
    Running* one = nullptr;
    try {
      one = &running_.emplace_back(socket);
      one->thread = std::jthread([this, one] { serve_one(*one); });
      return true;
    } catch (const std::exception&) {
      if (one != nullptr) {
        one->socket = -1;
        running_.pop_back();
      }
      return false;
    }
  }

  void serve_one(Running& one) const {
    try {
      serve_connection(one.socket, stop_, application_, deadlines_, &one.place);
    } catch (const std::exception&) {
      // Out of memory in the middle of a request: there is nobody to tell.
    }
    // Closed at once, since the other side may still be sending; but not while end_one may shut it
    // down.
    if (one.place.end()) {
      ::close(one.socket);
      one.socket = -1;
    }
    one.is_over = true;
  }

  const int stop_;
  Application& application_;
  const Deadlines& deadlines_;
  List running_;
};

}  // namespace

Listener::Listener(int socket, std::uint16_t port, std::string path)
    : socket_(socket), port_(port), path_(std::move(path)) {}

Listener::Listener(Listener&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      port_(other.port_),
      path_(std::exchange(other.path_, {})) {}

Listener::~Listener() {
  if (socket_ < 0) return;
  ::close(socket_);
  if (!path_.empty()) ::unlink(path_.c_str());
}

Result<Listener> Listener::listen_at(const std::string& address, std::uint16_t port) {
  boost::system::error_code error;
  const auto parsed = boost::asio::ip::make_address(address, error);
  if (error) {
    return fail(Code::kInvalidArgument, "'{}' is no address; expected one such as 127.0.0.1",
                printable(address));
  }
  tcp::endpoint where(parsed, port);
  const int socket = ::socket(where.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return no_socket(address);
  Listener listener(socket, port, "");
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  auto bytes = static_cast<socklen_t>(where.size());
  if (::bind(socket, where.data(), bytes) != 0 || ::listen(socket, SOMAXCONN) != 0) {
    return no_socket(fmt::format("{} port {}", address, port));
  }
  if (::getsockname(socket, where.data(), &bytes) == 0) listener.port_ = where.port();
  return listener;
}

Result<Listener> Listener::listen_at_path(const std::string& path) {
  TIDELINE_RETURN_IF_ERROR(check_folder(path));
  sockaddr_un where = {};
  where.sun_family = AF_UNIX;
  if (path.size() >= sizeof(where.sun_path)) {
    return fail(Code::kInvalidArgument,
                "{}: the name is too long for a socket; expected at most {}", printable(path),
                sizeof(where.sun_path) - 1);
  }
  path.copy(where.sun_path, path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return no_socket(path);
  Listener listener(socket, 0, "");
  // Until it listens, a socket looks as if its process had been killed, so one process at a time
  // looks.
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const Descriptor lock(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (::flock(lock.value(), LOCK_EX | LOCK_NB) != 0) return no_socket(path);
  const auto bind_it = [&] {
    return ::bind(socket, reinterpret_cast<const sockaddr*>(&where), sizeof(where)) == 0;
  };
  if (!bind_it()) {
    const int problem = errno;
    if (problem != EADDRINUSE || !is_orphan(path, where)) {
      errno = problem;
      return no_socket(path);
    }
    if (::unlink(path.c_str()) != 0 || !bind_it()) return no_socket(path);
  }
  listener.path_ = path;
  if (::chmod(path.c_str(), 0600) != 0 || ::listen(socket, SOMAXCONN) != 0) return no_socket(path);
  return listener;
}

void serve(const Listener& listener, int stop, Application& application,
           const Deadlines& deadlines) {
  Connections connections(stop, application, deadlines);
  while (true) {
    std::array<pollfd, 2> fds = {pollfd{listener.socket(), POLLIN, 0}, pollfd{stop, POLLIN, 0}};
    constexpr int kRetryMs = 100;
    if (::poll(fds.data(), fds.size(), -1) < 0) {
      if (errno != EINTR) ::poll(nullptr, 0, kRetryMs);  // ENOMEM
      continue;
    }
    if (fds[1].revents != 0) break;
    if (fds[0].revents == 0) continue;
    const int socket = ::accept4(listener.socket(), nullptr, nullptr, SOCK_CLOEXEC);
    const int problem = errno;
    connections.tidy();
    if (socket < 0) {
      // Without descriptors or memory it would be asked about for ever; one that waits gives some
      // back, and else those that end.
      const bool lacks_something =
          problem == EMFILE || problem == ENFILE || problem == ENOMEM || problem == ENOBUFS;
      if (lacks_something && !connections.end_one()) ::poll(&fds[1], 1, kRetryMs);
      continue;
    }
    if (listener.is_unix() && !is_same_user(socket)) {
      ::close(socket);
      continue;
    }
    const int on = 1;
    if (!listener.is_unix()) ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    connections.take(socket);
  }
}

}  // namespace tideline::web
