// Where the servers of TensorFlow in this process listen.
#pragma once

#include <cstdint>
#include <string>

namespace tideline::runtime {

/// From now on a socket that is bound to all addresses of the machine is bound to `address`
/// instead, "127.0.0.1"; "0.0.0.0" changes nothing. The program must export the function `bind`
/// that listen_address.cc defines (tideline_serves_tensorflow in core/CMakeLists.txt), so that
/// TensorFlow's library calls it. Thread: before others start.
/// False, and nothing is changed, for a text that is no IPv4 address.
[[nodiscard]] bool listen_on(const std::string& address);

/// Looks at the sockets of this process that listen on `port`: empty when each is bound to
/// `address`, else what is wrong. Nothing is wrong with "0.0.0.0".
[[nodiscard]] std::string listens_elsewhere(std::int32_t port, const std::string& address);

}  // namespace tideline::runtime
