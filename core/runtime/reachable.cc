// Tested by unit/runtime/cluster_task_test.cc.
#include "core/runtime/reachable.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tideline::runtime {

std::string why_unreachable(const std::string& address, double limit_s) {
  const std::size_t colon = address.rfind(':');
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(address.substr(0, colon).c_str(),
                                  address.substr(colon + 1).c_str(), &wanted, &found);
  if (error != 0) return ::gai_strerror(error);
  std::string why = "no address";
  for (const addrinfo* at = found; at != nullptr && !why.empty(); at = at->ai_next) {
    const int socket = ::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) continue;
    constexpr double kMicroseconds = 1e6;
    const auto whole = static_cast<time_t>(limit_s);
    const timeval limit{
        whole, static_cast<suseconds_t>((limit_s - static_cast<double>(whole)) * kMicroseconds)};
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);  // of connect, too
    const bool is_connected = ::connect(socket, at->ai_addr, at->ai_addrlen) == 0;
    why = is_connected ? "" : errno == EINPROGRESS ? "no connection in time" : ::strerror(errno);
    ::close(socket);
  }
  ::freeaddrinfo(found);
  return why;
}

}  // namespace tideline::runtime
