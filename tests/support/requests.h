// What a connection makes of bytes, without threads: all of them are sent before it reads.
#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/web/connection.h"
#include "core/base/check.h"

namespace tideline::test {

struct Asked {
  std::vector<web::Request> requests;  ///< those that came with their body
  std::string answers;                 ///< as they were sent
};

/// Sends `bytes` in pieces of `size`, each of which is read by itself, and no more after them; of
/// one long piece, as much as fits into a socket. Precondition: up to some hundred pieces.
inline Asked asked(std::string_view bytes, std::size_t size = std::string_view::npos) {
  class Recorder final : public web::Application {
   public:
    Recorder(Asked& all, int socket) : all_(all), socket_(socket) {}
    std::variant<web::ExpectedBody, web::Response> begin(const web::Request& /*request*/) override {
      take_answers();
      return web::ExpectedBody{std::uint64_t{1} << 16U};
    }
    web::Response answer(const web::Request& request) override {
      all_.requests.push_back(request);
      return {};
    }
    void take_answers() {
      std::array<char, 65536> piece;
      for (ssize_t count = 0; (count = ::recv(socket_, piece.data(), piece.size(), 0)) > 0;) {
        all_.answers.append(piece.data(), static_cast<std::size_t>(count));
      }
    }

   private:
    Asked& all_;
    int socket_;
  };
  Asked all;
  std::array<int, 2> ends = {};
  std::array<int, 2> stop = {};
  // Packets keep their borders.
  const int kind = bytes.size() <= size ? SOCK_STREAM : SOCK_SEQPACKET;
  TIDELINE_CHECK(::socketpair(AF_UNIX, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) == 0 &&
                 ::pipe2(stop.data(), O_CLOEXEC) == 0);
  while (!bytes.empty()) {
    const ssize_t sent = ::send(ends[0], bytes.data(), std::min(size, bytes.size()), 0);
    if (sent <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  ::shutdown(ends[0], SHUT_WR);
  Recorder recorder(all, ends[0]);
  web::serve_connection(ends[1], stop[0], recorder);
  ::close(ends[1]);
  recorder.take_answers();
  for (const int fd : {ends[0], stop[0], stop[1]}) ::close(fd);
  return all;
}

/// The status of the first answer; 0: there is none.
inline int first_status(const Asked& asked) {
  return asked.answers.empty() ? 0 : std::stoi(asked.answers.substr(9, 3));
}

}  // namespace tideline::test
