// The running server: socket, gate and routes together.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/web/routes.h"

namespace tideline::web {

struct ServerOptions {
  std::vector<std::string> readable;     ///< files and folders
  std::string writable;                  ///< a folder; empty: nothing is written
  std::string socket;                    ///< path of a Unix socket; empty: TCP
  std::string host = "127.0.0.1";        ///< a numeric address
  std::uint16_t port = 0;                ///< 0: any free one
  std::vector<std::string> allow_hosts;  ///< further names of this server
  RoutesOptions routes;
};

/// What is told when the server is ready.
struct ServerAddress {
  std::uint16_t port = 0;
  std::string token;         ///< empty for a Unix socket
  bool is_confined = false;  ///< whether the kernel keeps it to its folders (core/base/confine.h)
};

/// Serves until `stop` (a file descriptor) can be read. `ready` is called once, when connections
/// are taken, by a thread of the server. Nothing is left behind: no file, no thread. Errors: those
/// of AllowedPaths::make, of listening and of making a folder for downloads.
[[nodiscard]] Status run_server(const ServerOptions& options, int stop,
                                const std::function<void(const ServerAddress&)>& ready);

}  // namespace tideline::web
