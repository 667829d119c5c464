// Tested by integration/serve_test.py.
#include "app/web/server.h"

#include <malloc.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <thread>

#include "app/web/listener.h"
#include "core/base/confine.h"
#include "core/base/descriptor.h"

namespace tideline::web {

Status run_server(const ServerOptions& options, int stop,
                  const std::function<void(const ServerAddress&)>& ready) {
  // Each thread would get a place of its own for what it allocates, 64 MiB of addresses, and under
  // a limit of those (ulimit -v) a few connections would use up all of them.
  constexpr int kMostArenas = 4;
  ::mallopt(M_ARENA_MAX, kMostArenas);
  TIDELINE_TRY(const auto paths, AllowedPaths::make(options.readable, options.writable));
  const bool is_unix = !options.socket.empty();
  TIDELINE_TRY(const Listener listener, is_unix ? Listener::listen_at_path(options.socket)
                                                : Listener::listen_at(options.host, options.port));
  const std::string token = is_unix ? "" : random_token();
  RoutesOptions routes_options = options.routes;
  PrivateFolder::remove_orphans();
  // Without it only downloads of what is written into a file first are refused.
  const auto spool = PrivateFolder::make();
  if (spool) routes_options.spool = (*spool)->path();
  Routes routes(Gate(token, options.allow_hosts), *paths, routes_options);
  Reach reach = paths->reach();
  if (spool) reach.writable.push_back((*spool)->descriptor());
  // Given when nobody serves any more, however that comes about.
  const Descriptor over(::eventfd(0, EFD_CLOEXEC));
  if (over.value() < 0) return fail(Code::kIo, "eventfd: {}", std::strerror(errno));
  std::exception_ptr thrown;
  {
    // Requests may wait for jobs, on threads that do not look at `stop`.
    const std::jthread ending([&routes, stop, &over] {
      std::array<pollfd, 2> ended = {pollfd{stop, POLLIN, 0}, pollfd{over.value(), POLLIN, 0}};
      while (::poll(ended.data(), ended.size(), -1) <= 0) {
      }
      routes.end();
    });
    // The thread that waits for this one is not confined, and can remove socket and folder.
    const std::jthread serving([&] {
      try {
        ready({listener.port(), token, confine_thread(reach)});
        serve(listener, stop, routes);
      } catch (...) {
        thrown = std::current_exception();
      }
      ::eventfd_write(over.value(), 1);
    });
  }
  if (thrown) std::rethrow_exception(thrown);
  return {};
}

}  // namespace tideline::web
