// Tested by integration/serve_test.py.
#include "app/web/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <utility>

#include "core/base/text.h"

namespace tideline::web {
namespace {

tl::unexpected<Error> no_socket(std::string_view where) {
  return fail(Code::kIo, "{}: {}", printable(where), std::strerror(errno));
}

struct Address {
  sockaddr_storage storage = {};
  socklen_t bytes = 0;
};

Result<Address> parse_address(const std::string& text, std::uint16_t port) {
  Address address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (::inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.bytes = sizeof(sockaddr_in);
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.bytes = sizeof(sockaddr_in6);
  } else {
    return fail(Code::kInvalidArgument, "'{}' is no address; expected one such as 127.0.0.1",
                printable(text));
  }
  return address;
}

std::uint16_t port_of(int socket) {
  Address address;
  address.bytes = sizeof(address.storage);
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address.storage), &address.bytes) != 0) {
    return 0;
  }
  return address.storage.ss_family == AF_INET6
             ? ntohs(reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_port)
             : ntohs(reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_port);
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

struct Running {
  std::atomic<bool> is_over = false;
  std::jthread thread;  // last: it uses the other
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
  TIDELINE_TRY(const Address where, parse_address(address, port));
  const int socket = ::socket(where.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return no_socket(address);
  Listener listener(socket, port, "");
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&where.storage), where.bytes) != 0 ||
      ::listen(socket, SOMAXCONN) != 0) {
    return no_socket(fmt::format("{} port {}", address, port));
  }
  listener.port_ = port_of(socket);
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
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&where), sizeof(where)) != 0) {
    return no_socket(path);
  }
  listener.path_ = path;
  if (::chmod(path.c_str(), 0600) != 0 || ::listen(socket, SOMAXCONN) != 0) return no_socket(path);
  return listener;
}

void serve(const Listener& listener, int stop, Application& application,
           const Deadlines& deadlines) {
  std::list<Running> running;
  while (true) {
    std::array<pollfd, 2> fds = {pollfd{listener.socket(), POLLIN, 0}, pollfd{stop, POLLIN, 0}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) break;
    if (fds[1].revents != 0) break;
    if (fds[0].revents == 0) continue;
    const int socket = ::accept4(listener.socket(), nullptr, nullptr, SOCK_CLOEXEC);
    running.remove_if([](const Running& one) { return one.is_over.load(); });
    if (socket < 0) {
      // Without descriptors it would be asked about for ever; those that end give some back.
      if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) ::poll(&fds[1], 1, 100);
      continue;
    }
    if (listener.is_unix() && !is_same_user(socket)) {
      ::close(socket);
      continue;
    }
    if (running.size() >= kMostConnections) {
      turn_away(socket);
      ::close(socket);
      continue;
    }
    const int on = 1;
    if (!listener.is_unix()) ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    Running& one = running.emplace_back();
    one.thread = std::jthread([&one, socket, stop, &application, &deadlines] {
      try {
        serve_connection(socket, stop, application, deadlines);
      } catch (const std::exception&) {
        // Out of memory in the middle of a request: there is nobody to tell.
      }
      ::close(socket);
      one.is_over = true;
    });
  }
}

}  // namespace tideline::web
