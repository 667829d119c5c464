// Binds TensorFlow's servers to one address.
//
// Problem: a server of TensorFlow obeys everyone who can connect to it, and TensorFlow binds it to
// all addresses of the machine, whatever the cluster says ("0.0.0.0:PORT" in GrpcServer::Init, with
// no option to change that). A server for a trial on one machine would be open to the network.
//
// Idea: TensorFlow's library is loaded into this process, so its calls of `bind` are resolved to
// the function of this name that the program exports, before that of the C library. It changes
// the unspecified address into the one that is wanted, and calls the system. As a program may be
// linked without exporting it, listens_elsewhere looks at what was really bound, and the server is
// refused if it is not what was asked for.
//
// Limits: gRPC binds an IPv6 socket for both families where there is IPv6; an IPv4 address is then
// written as a mapped one. Source: grpc's socket utilities; ld.so(8) on symbol resolution (facts).
// Tested by unit/runtime/cluster_servers_test.cc and integration/cluster_test.py.
#include "core/runtime/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "core/base/parse.h"

namespace tideline::runtime {
namespace {

in_addr wanted_address = {};  // the unspecified one: nothing is changed

bool is_wanted(const sockaddr_storage& bound) {
  if (bound.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(bound);
    return v4.sin_addr.s_addr == wanted_address.s_addr;
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(bound);
  return IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr) &&
         std::memcmp(&v6.sin6_addr.s6_addr[12], &wanted_address, sizeof wanted_address) == 0;
}

std::int32_t port_of(const sockaddr_storage& bound) {
  return bound.ss_family == AF_INET ? ntohs(reinterpret_cast<const sockaddr_in&>(bound).sin_port)
                                    : ntohs(reinterpret_cast<const sockaddr_in6&>(bound).sin6_port);
}

std::string text_of(const sockaddr_storage& bound) {
  std::string text(INET6_ADDRSTRLEN, '\0');
  const void* address =
      bound.ss_family == AF_INET
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(bound).sin_addr)
          : &reinterpret_cast<const sockaddr_in6&>(bound).sin6_addr;
  ::inet_ntop(bound.ss_family, address, text.data(), INET6_ADDRSTRLEN);
  return text.c_str();
}

// The address that a socket listens on; false for other descriptors.
bool listening_address(int descriptor, sockaddr_storage& bound) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) {
    return false;
  }
  socklen_t length = sizeof bound;
  return ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&bound), &length) == 0 &&
         (bound.ss_family == AF_INET || bound.ss_family == AF_INET6);
}

}  // namespace

bool listen_on(const std::string& address) {
  return ::inet_pton(AF_INET, address.c_str(), &wanted_address) == 1;
}

std::string listens_elsewhere(std::int32_t port, const std::string& address) {
  if (wanted_address.s_addr == INADDR_ANY) return {};
  bool listens = false;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const auto descriptor = parse_as<int>(entry.path().filename().native());
    sockaddr_storage bound{};
    if (!descriptor || !listening_address(*descriptor, bound) || port_of(bound) != port) continue;
    listens = true;
    if (is_wanted(bound)) continue;
    return fmt::format("TensorFlow's server listens on {}, not on {} alone", text_of(bound),
                       address);
  }
  return listens ? std::string() : fmt::format("no socket listens on port {}", port);
}

}  // namespace tideline::runtime

// Called by TensorFlow's library, and by all else in this process, in the place of that of the C
// library, whose exception specification it has.
extern "C" __attribute__((visibility("default"))) int bind(int descriptor, const sockaddr* address,
                                                           socklen_t size) noexcept {
  using tideline::runtime::wanted_address;
  sockaddr_storage changed{};
  if (address == nullptr || size > sizeof changed || wanted_address.s_addr == INADDR_ANY) {
    return static_cast<int>(::syscall(SYS_bind, descriptor, address, size));
  }
  std::memcpy(&changed, address, size);
  auto& v4 = reinterpret_cast<sockaddr_in&>(changed);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(changed);
  if (changed.ss_family == AF_INET && v4.sin_addr.s_addr == INADDR_ANY) {
    v4.sin_addr = wanted_address;
  } else if (changed.ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr)) {
    v6.sin6_addr.s6_addr[10] = v6.sin6_addr.s6_addr[11] = 0xff;
    std::memcpy(&v6.sin6_addr.s6_addr[12], &wanted_address, sizeof wanted_address);
  }
  return static_cast<int>(
      ::syscall(SYS_bind, descriptor, reinterpret_cast<const sockaddr*>(&changed), size));
}
