// The verb serve: the app's sessions in a browser.
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/web/framing.h"
#include "app/web/server.h"
#include "core/base/version.h"
#include "core/rewrite/parameter.h"

namespace tideline::cli {
namespace {

struct ServeOptions {
  web::ServerOptions server;
  std::vector<std::string> open;
  int port = 0;
  int sessions = 8;
  bool ends_with_input = false;
  std::string upload_limit = "1GiB";
};

constexpr int kMostPort = 65'535;
constexpr int kMostSessions = 64;

// Signals come to nobody but the watcher, so that no thread is interrupted in its work.
class StopWatcher {
 public:
  /// With `watches_input` the end of standard input ends the server, too.
  explicit StopWatcher(bool watches_input) {
    sigemptyset(&signals_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      struct sigaction before {};
      const bool is_ignored =
          ::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
      if (!is_ignored) sigaddset(&signals_, number);
    }
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    signal_fd_ = ::signalfd(-1, &signals_, SFD_CLOEXEC);
    stop_ = ::eventfd(0, EFD_CLOEXEC);
    leave_ = ::eventfd(0, EFD_CLOEXEC);
    thread_ = std::jthread([this, watches_input] { watch(watches_input); });
  }
  ~StopWatcher() {
    give(leave_);
    thread_.join();
    for (const int fd : {signal_fd_, stop_, leave_}) ::close(fd);
  }
  StopWatcher(const StopWatcher&) = delete;
  StopWatcher& operator=(const StopWatcher&) = delete;

  /// Can be read when the server has to end.
  [[nodiscard]] int stop() const { return stop_; }
  [[nodiscard]] bool was_signalled() const { return was_signalled_; }

 private:
  static void give(int fd) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(fd, &one, sizeof(one));
  }

  void watch(bool watches_input) {
    std::array<pollfd, 3> fds = {pollfd{signal_fd_, POLLIN, 0}, pollfd{leave_, POLLIN, 0},
                                 pollfd{watches_input ? STDIN_FILENO : -1, POLLIN, 0}};
    while (true) {
      if (::poll(fds.data(), fds.size(), -1) < 0) continue;
      if (fds[1].revents != 0) return;
      if (fds[0].revents != 0) {
        was_signalled_ = true;
        break;
      }
      if (fds[2].revents == 0) continue;
      std::array<char, 4096> ignored;
      const ssize_t count = ::read(STDIN_FILENO, ignored.data(), ignored.size());
      if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) break;
    }
    give(stop_);
  }

  sigset_t signals_ = {};
  int signal_fd_ = -1;
  int stop_ = -1;
  int leave_ = -1;
  std::atomic<bool> was_signalled_ = false;
  std::jthread thread_;
};

// How the server is called in a URL.
std::string url_host(const web::ServerOptions& server) {
  const bool is_any = server.host == "0.0.0.0" || server.host == "::";
  if (is_any) return server.allow_hosts.empty() ? "127.0.0.1" : server.allow_hosts.front();
  return server.host.find(':') == std::string::npos ? server.host : "[" + server.host + "]";
}

bool is_loopback(const std::string& host) {
  return host.starts_with("127.") || host == "::1";
}

void say_address(const web::ServerOptions& server, const web::ServerAddress& address) {
  if (!server.socket.empty()) {
    say_json({{"tideline", kVersion}, {"api", web::kApiVersion}}, -1);
  } else {
    const std::string url =
        fmt::format("http://{}:{}/#token={}", url_host(server), address.port, address.token);
    say("{}\n", url);
    if (is_loopback(server.host)) {
      say("from another machine: ssh -L {}:127.0.0.1:{} HOST, and open the same address there\n",
          address.port, address.port);
    }
  }
  std::fflush(stdout);
  if (!address.is_confined) {
    complain(
        "warning: the kernel does not confine the server to the given folders (Landlock, Linux "
        "5.13); a link that somebody changes while it is followed could lead out of them\n");
  }
  if (server.socket.empty() && !is_loopback(server.host)) {
    complain(
        "warning: --host {}: nothing is encrypted; whoever reads the network gets the token and "
        "all that is shown\n",
        server.host);
  }
}

int run_serve(ServeOptions& options) {
  web::ServerOptions& server = options.server;
  const auto limit = parse_size(options.upload_limit);
  if (!limit) return report_usage(with_context(limit.error(), "--upload-limit"));
  server.routes.upload_limit = static_cast<std::uint64_t>(*limit);
  server.routes.sessions = static_cast<std::size_t>(options.sessions);
  server.port = static_cast<std::uint16_t>(options.port);
  server.readable.insert(server.readable.end(), options.open.begin(), options.open.end());
  const bool is_any = server.host == "0.0.0.0" || server.host == "::";
  if (!is_any) server.allow_hosts.push_back(url_host(server));
  const StopWatcher watcher(!server.socket.empty() || options.ends_with_input);
  const Status served =
      web::run_server(server, watcher.stop(),
                      [&](const web::ServerAddress& address) { say_address(server, address); });
  if (!served) return report(served.error());
  return watcher.was_signalled() ? kExitInterrupted : kExitDone;
}

}  // namespace

void add_serve(const Command& app, Action& action) {
  auto options = std::make_shared<ServeOptions>();
  const Command command =
      app.add_subcommand("serve", "Show graphs in a browser: the app's sessions as a web page");
  command.add_option("FILE", options->server.readable,
                     "Graphs and log folders that the page may open");
  const Option port = command.add_option("--port", options->port, "Port; without it any free one")
                          .type_name("N")
                          .in_range(0, kMostPort);
  const Option host =
      command
          .add_option("--host", options->server.host,
                      "Address to listen at; others than 127.0.0.1 can be read on the network")
          .type_name("ADDRESS")
          .not_empty()
          .show_default();
  command
      .add_option("--allow-host", options->server.allow_hosts,
                  "A further name by which browsers may call this server; may be repeated")
      .type_name("NAME")
      .one_value();
  command
      .add_option("--frame-origin", options->server.routes.frame_origin,
                  "The one origin whose pages may show this page in a frame, as "
                  "http://localhost:8888 of a notebook")
      .type_name("ORIGIN")
      .not_empty()
      .check(web::why_no_origin);
  command.add_flag("--until-input-ends", options->ends_with_input,
                   "End when standard input ends, too, as with --socket");
  command
      .add_option("--open", options->open,
                  "A further folder that the page may open files of; may be repeated")
      .type_name("DIR")
      .one_value();
  command
      .add_option("--write", options->server.writable,
                  "Folder that the page may write files into; without it they are downloaded only")
      .type_name("DIR")
      .not_empty();
  command
      .add_option("--socket", options->server.socket,
                  "Serve a Unix socket for this user alone, without a token, until standard input "
                  "ends")
      .type_name("PATH")
      .not_empty()
      .excludes(port)
      .excludes(host);
  command.add_option("--sessions", options->sessions, "Open graphs at a time")
      .type_name("N")
      .in_range(1, kMostSessions)
      .show_default();
  command.add_option("--upload-limit", options->upload_limit, "Largest file that may be uploaded")
      .type_name("SIZE")
      .check(accepted_by<parse_size>)
      .show_default();
  command.callback([options, &action] { action = [options] { return run_serve(*options); }; });
}

}  // namespace tideline::cli
