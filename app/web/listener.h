// A listening socket, and a thread for each of its connections.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <thread>

#include "app/web/connection.h"
#include "app/web/message.h"

namespace tideline::web {

inline constexpr std::size_t kMostConnections = 64;
/// Of these, those that have not shown yet that they may ask: each costs a thread with its stack. A
/// browser opens six at a time.
inline constexpr std::size_t kMostStrangers = 16;

/// A socket that listens; closes it, and removes the file of a Unix socket.
class Listener {
 public:
  /// `address` is numeric: "127.0.0.1", "::1", "0.0.0.0"; port 0: any free one. Errors:
  /// kInvalidArgument, kIo.
  [[nodiscard]] static Result<Listener> listen_at(const std::string& address, std::uint16_t port);
  /// A Unix socket that only this user may use: its folder is 0700 and belongs to this user, the
  /// file becomes 0600. What is there must be no other file, unless it is the socket of a process
  /// that was killed. Errors: kInvalidArgument, kIo.
  [[nodiscard]] static Result<Listener> listen_at_path(const std::string& path);

  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&& other) = delete;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  [[nodiscard]] int socket() const { return socket_; }
  /// Of TCP; 0 for a Unix socket.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] bool is_unix() const { return !path_.empty(); }

 private:
  Listener(int socket, std::uint16_t port, std::string path);
  int socket_;
  std::uint16_t port_;
  std::string path_;
};

/// Takes connections of `listener` and serves each on its own thread, at most kMostConnections and
/// kMostStrangers. When there are more, or no thread, memory or descriptor for one, the oldest that
/// only waits ends, first of strangers; where there is none, the new one is answered with 429. A
/// Unix socket serves only processes of this user. Returns when `stop` (a file descriptor) can be
/// read, after all connections have ended.
void serve(const Listener& listener, int stop, Application& application,
           const Deadlines& deadlines = {});

}  // namespace tideline::web
