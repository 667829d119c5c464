// Tested by integration/serve_test.py.
#include "app/web/server.h"

#include <poll.h>

#include <array>
#include <thread>

#include "app/web/listener.h"

namespace tideline::web {

Status run_server(const ServerOptions& options, int stop,
                  const std::function<void(const ServerAddress&)>& ready) {
  TIDELINE_TRY(const auto paths, AllowedPaths::make(options.readable, options.writable));
  const bool is_unix = !options.socket.empty();
  TIDELINE_TRY(const Listener listener, is_unix ? Listener::listen_at_path(options.socket)
                                                : Listener::listen_at(options.host, options.port));
  const std::string token = is_unix ? "" : random_token();
  Routes routes(Gate(token, options.allow_hosts), *paths, options.routes);
  ready({listener.port(), token});
  {
    // Requests may wait for jobs, on threads that do not look at `stop`.
    const std::jthread ending([&routes, stop] {
      pollfd ended = {stop, POLLIN, 0};
      while (::poll(&ended, 1, -1) <= 0) {
      }
      routes.end();
    });
    serve(listener, stop, routes);
  }
  return {};
}

}  // namespace tideline::web
