// Tested by unit/web/connection_test.cc.
#include "app/web/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "app/web/http.h"

namespace tideline::web {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kGzipFrom = 4096;
constexpr std::size_t kPiece = 64 * 1024;
// What is read of a refused body, so that the other side gets the answer instead of a reset.
constexpr std::uint64_t kMostDrained = 8 << 20;

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 204: return "No Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    default: return "Internal Server Error";
  }
}

constexpr const char* kSecurityFields =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; font-src "
    "'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n";

// "gzip" or "gzip;q=0.8, br", but not "gzip;q=0".
bool accepts_gzip(const Request& request) {
  const std::string_view accepted = request.field("accept-encoding");
  const std::size_t at = accepted.find("gzip");
  if (at == std::string_view::npos) return false;
  std::string_view rest = accepted.substr(at + 4);
  rest = rest.substr(0, rest.find(','));
  const std::size_t weight = rest.find("q=");
  return weight == std::string_view::npos ||
         rest.substr(weight + 2).find_first_not_of("0. \t") != std::string_view::npos;
}

enum class Wait { kReady, kLate, kEnded };

class Connection {
 public:
  Connection(int socket, int stop, Application& application, const Deadlines& deadlines,
             ConnectionPlace& place)
      : socket_(socket),
        stop_(stop),
        application_(application),
        deadlines_(deadlines),
        place_(place) {}

  void serve() {
    while (serve_one()) {
    }
  }

 private:
  // False: the connection is over.
  bool serve_one() {
    place_.let_go();
    HeaderParser parser;
    if (!read_header(parser)) return false;
    auto request = parser.request();
    if (!request) {
      return refuse(error_response(400, "bad_request", "the target is no path with parameters"));
    }
    return serve_request(*request);
  }

  bool serve_request(Request& request) {
    if (request.is_chunked) {
      return refuse(error_response(411, "length_required", "a body needs a length; no chunks"));
    }
    auto begun = application_.begin(request);
    if (auto* refusal = std::get_if<Response>(&begun)) {
      // Without a body the connection can go on.
      if (request.length.value_or(0) > 0) return refuse(*refusal, &request);
      return send(*refusal, request) && request.keeps_alive;
    }
    if ((request.method == "POST" || request.method == "PUT") && !request.length) {
      return refuse(error_response(411, "length_required", "expected the length of the body"));
    }
    const BodyPlan& plan = std::get<BodyPlan>(begun);
    if (plan.is_known && !place_.hold()) return false;
    if (!read_body(request, plan)) return false;
    request.has_hung_up = [this] { return has_hung_up(); };
    const Response response = plan.finish ? plan.finish() : application_.answer(request);
    return send(response, request) && request.keeps_alive;
  }

  bool read_header(HeaderParser& parser) {
    // Until the first byte the connection is idle, and may end without a word.
    auto deadline = Clock::now() + (in_.empty() ? deadlines_.idle : deadlines_.header);
    bool has_begun = !in_.empty();
    while (true) {
      if (!in_.empty()) {
        const HeaderParser::State state = parser.take(in_);
        in_.erase(0, state.used);
        if (state.problem) return refuse(*state.problem);
        if (state.is_done) return true;
      }
      switch (read_some(deadline)) {
        case Wait::kEnded: return false;
        case Wait::kLate:
          return has_begun && refuse(error_response(408, "too_slow", "the header took too long"));
        case Wait::kReady: break;
      }
      if (!has_begun) deadline = Clock::now() + deadlines_.header;
      has_begun = true;
    }
  }

  bool read_body(Request& request, const BodyPlan& plan) {
    std::uint64_t left = request.length.value_or(0);
    if (left > plan.most_bytes) {
      return refuse(error_response(413, "too_large",
                                   fmt::format("the body has {} bytes; expected at most {}", left,
                                               plan.most_bytes)),
                    &request);
    }
    if (left > 0 && request.field("expect") == "100-continue" && in_.empty() &&
        !send_all("HTTP/1.1 100 Continue\r\n\r\n")) {
      return false;
    }
    while (left > 0) {
      if (in_.empty()) {
        switch (read_some(Clock::now() + deadlines_.next_bytes)) {
          case Wait::kEnded: return false;
          case Wait::kLate:
            return refuse(error_response(408, "too_slow", "the body took too long"));
          case Wait::kReady: break;
        }
      }
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, in_.size()));
      const std::string_view bytes = std::string_view(in_).substr(0, count);
      if (plan.take) {
        if (const auto refusal = plan.take(bytes)) return refuse(*refusal, &request);
      } else {
        request.body += bytes;
      }
      in_.erase(0, count);
      left -= count;
    }
    return true;
  }

  [[nodiscard]] bool has_hung_up() const {
    pollfd other = {socket_, POLLRDHUP, 0};
    return ::poll(&other, 1, 0) > 0;
  }

  // Answers and ends the connection: what else was sent is not understood.
  bool refuse(const Response& response, const Request* request = nullptr) {
    Request last = request != nullptr ? *request : Request();
    last.keeps_alive = false;
    if (!send(response, last)) return false;
    ::shutdown(socket_, SHUT_WR);
    place_.let_go();
    const auto deadline =
        Clock::now() + std::min<Clock::duration>(std::chrono::seconds(2), deadlines_.next_bytes);
    for (std::uint64_t drained = 0; drained < kMostDrained; drained += in_.size()) {
      in_.clear();
      if (read_some(deadline) != Wait::kReady) break;
    }
    return false;
  }

  bool send(const Response& response, const Request& request) {
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n{}", response.status,
                                   reason_of(response.status), kSecurityFields);
    head +=
        response.is_kept_by_browser ? "Cache-Control: no-cache\r\n" : "Cache-Control: no-store\r\n";
    for (const auto& [name, value] : response.fields)
      head += fmt::format("{}: {}\r\n", name, value);
    std::string packed;
    std::string_view body = response.body;
    if (!response.file && body.size() > kGzipFrom && accepts_gzip(request)) {
      packed = gzipped(body);
      body = packed;
      head += "Content-Encoding: gzip\r\n";
    }
    const bool has_body = response.status != 204 && response.status != 304;
    if (has_body) {
      head += fmt::format("Content-Type: {}\r\nVary: Accept-Encoding\r\nContent-Length: {}\r\n",
                          response.type, response.file ? response.file->bytes() : body.size());
    }
    head += request.keeps_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    if (request.method == "HEAD" || !has_body) return send_all(head);
    if (response.file) return send_all(head) && send_file(*response.file);
    // One packet where it fits.
    head += body;
    return send_all(head);
  }

  bool send_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN) {
        if (wait(POLLOUT, Clock::now() + deadlines_.next_bytes) != Wait::kReady) return false;
      } else if (errno != EINTR) {
        return false;
      }
    }
    return true;
  }

  bool send_file(const OpenFile& file) {
    off_t at = 0;
    while (static_cast<std::uint64_t>(at) < file.bytes()) {
      const std::uint64_t left = file.bytes() - static_cast<std::uint64_t>(at);
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, 1 << 20));
      const ssize_t sent = ::sendfile(socket_, file.fd(), &at, count);
      if (sent > 0 || (sent < 0 && errno == EINTR)) continue;
      if (sent == 0 || errno != EAGAIN) return false;
      if (wait(POLLOUT, Clock::now() + deadlines_.next_bytes) != Wait::kReady) return false;
    }
    return true;
  }

  Wait read_some(Clock::time_point deadline) {
    std::array<char, kPiece> piece;
    while (true) {
      const ssize_t count = ::recv(socket_, piece.data(), piece.size(), 0);
      if (count > 0) {
        in_.append(piece.data(), static_cast<std::size_t>(count));
        return Wait::kReady;
      }
      if (count == 0) return Wait::kEnded;
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return Wait::kEnded;
      const Wait waited = wait(POLLIN, deadline);
      if (waited != Wait::kReady) return waited;
    }
  }

  [[nodiscard]] Wait wait(short what, Clock::time_point deadline) const {
    while (true) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return Wait::kLate;
      std::array<pollfd, 2> fds = {pollfd{socket_, what, 0}, pollfd{stop_, POLLIN, 0}};
      const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(left));
      if (ready < 0 && errno != EINTR) return Wait::kEnded;
      if (ready <= 0) continue;
      if (fds[1].revents != 0) return Wait::kEnded;
      return Wait::kReady;  // errors and the end show at the next read or write
    }
  }

  int socket_;
  int stop_;
  Application& application_;
  const Deadlines& deadlines_;
  ConnectionPlace& place_;
  std::string in_;  // read and not used yet
};

}  // namespace

void serve_connection(int socket, int stop, Application& application, const Deadlines& deadlines,
                      ConnectionPlace* place) {
  const int flags = ::fcntl(socket, F_GETFL);
  if (flags < 0 || ::fcntl(socket, F_SETFL, flags | O_NONBLOCK) < 0) return;
  ConnectionPlace own;
  Connection(socket, stop, application, deadlines, place != nullptr ? *place : own).serve();
}

std::string gzipped(std::string_view content) {
  constexpr int kGzipWindow = 15 + 16;  // 16: with the header of gzip
  z_stream stream = {};
  if (::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed;
  packed.resize(::deflateBound(&stream, static_cast<uLong>(content.size())));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib does not write there
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

}  // namespace tideline::web
