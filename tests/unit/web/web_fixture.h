// One connection to an application of the server, over a pair of sockets.
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "app/web/connection.h"

namespace tideline::test {

struct Reply {
  int status = 0;  ///< 0: the connection ended without an answer
  web::Values fields;
  std::string body;

  [[nodiscard]] nlohmann::json json() const {
    INFO(body);
    auto parsed = nlohmann::json::parse(body, nullptr, false);
    REQUIRE_FALSE(parsed.is_discarded());
    return parsed;
  }
  [[nodiscard]] std::string code() const { return json()["error"]["code"]; }
};

class Client {
 public:
  explicit Client(web::Application& application, const web::Deadlines& deadlines = {})
      : deadlines_(deadlines), stop_(::eventfd(0, EFD_CLOEXEC)) {
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets_.data()) == 0);
    server_ = std::jthread([this, &application] {
      web::serve_connection(sockets_[1], stop_, application, deadlines_);
      ::close(sockets_[1]);
    });
  }
  ~Client() {
    const std::uint64_t one = 1;
    CHECK(::write(stop_, &one, sizeof(one)) == sizeof(one));
    server_.join();
    ::close(sockets_[0]);
    ::close(stop_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(sockets_[0], bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // refused in the middle: the answer says why
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void end_sending() const { ::shutdown(sockets_[0], SHUT_WR); }

  [[nodiscard]] Reply receive(bool has_body = true) {
    Reply reply;
    std::size_t end = 0;
    while ((end = in_.find("\r\n\r\n")) == std::string::npos) {
      if (!read_some()) return reply;
    }
    std::string_view head(in_.data(), end);
    reply.status = std::stoi(std::string(head.substr(9, 3)));
    while (!head.empty()) {
      const std::size_t line_end = std::min(head.find("\r\n"), head.size());
      const std::string_view line = head.substr(0, line_end);
      head.remove_prefix(std::min(line_end + 2, head.size()));
      const std::size_t colon = line.find(": ");
      if (colon == std::string_view::npos) continue;
      reply.fields[std::string(line.substr(0, colon))] = line.substr(colon + 2);
    }
    in_.erase(0, end + 4);
    const auto length = reply.fields.find("Content-Length");
    const std::size_t size =
        length == reply.fields.end() || !has_body ? 0 : std::stoul(length->second);
    while (in_.size() < size && read_some()) {
    }
    reply.body = in_.substr(0, size);
    in_.erase(0, reply.body.size());
    return reply;
  }

  Reply ask(std::string_view bytes) {
    send(bytes);
    return receive();
  }
  /// Whether the other side has ended the connection.
  [[nodiscard]] bool is_over() {
    while (read_some()) {
    }
    return true;
  }

 private:
  bool read_some() {
    pollfd ready = {sockets_[0], POLLIN, 0};
    constexpr int kPatienceMs = 30'000;
    REQUIRE(::poll(&ready, 1, kPatienceMs) == 1);
    std::array<char, 65536> piece;
    const ssize_t count = ::recv(sockets_[0], piece.data(), piece.size(), 0);
    if (count <= 0) return false;
    in_.append(piece.data(), static_cast<std::size_t>(count));
    return true;
  }

  web::Deadlines deadlines_;
  int stop_;
  std::array<int, 2> sockets_ = {};
  std::string in_;
  std::jthread server_;
};

/// "GET /a HTTP/1.1" with these fields.
inline std::string request_text(std::string_view line, std::string_view fields = "",
                                std::string_view body = "") {
  std::string text = std::string(line) + " HTTP/1.1\r\n" + std::string(fields);
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + std::string(body);
}

}  // namespace tideline::test
