// Tested by unit/web/connection_test.cc, unit/web/http_test.cc and fuzz/fuzz_http.cc.
//
// Why a parser of others: the ways in which a header can be wrong are many and known, and each of
// them was somebody's hole. Beast parses and writes; waiting is ours, so that nobody can make the
// program wait or store: a stream of its own gives every read and write a deadline, without the
// descriptors that each loop of Asio takes. Measured with the parser: lines without end, 100,000
// fields, negative, two and huge lengths, a length beside chunks, line feeds alone: all are
// refused, and memory stays as it is.
#include "app/web/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <limits>

#include "app/web/framing.h"
#include "app/web/target.h"
#include "core/base/text.h"

namespace tideline::web {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostHeaderBytes = 16 * 1024;
constexpr std::ptrdiff_t kMostFields = 100;
constexpr std::size_t kGzipFrom = 4096;
constexpr std::size_t kPiece = 64 * 1024;
// The most that is read of a refused body, so that the other side gets the answer instead of a
// reset.
constexpr std::uint64_t kMostDrained = 8 << 20;

constexpr std::array<std::pair<const char*, const char*>, 5> kSecurityFields = {{
    {kPolicyField, kPolicy.data()},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
}};

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

using Parser = http::request_parser<http::buffer_body>;

// Why the header is refused; nullopt if the connection just ended.
std::optional<Response> refusal_of(const error_code& error) {
  if (error == boost::beast::error::timeout) {
    return error_response(408, "too_slow", "the header took too long");
  }
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return error_response(431, "headers_too_large",
                          fmt::format("the header is longer than {} bytes", kMostHeaderBytes));
  }
  const bool is_refused = error.category() == http::make_error_code({}).category() &&
                          error != http::error::end_of_stream &&
                          error != http::error::partial_message;
  if (!is_refused) return std::nullopt;
  return error_response(400, "bad_request",
                        fmt::format("this is no HTTP/1 request: {}", error.message()));
}

std::string text_of(boost::beast::string_view view) {
  return {view.data(), view.size()};
}

// Nullopt: the target is no path with parameters.
std::optional<Request> request_of(const Parser& parser) {
  const auto& header = parser.get();
  Request request;
  request.method = text_of(header.method_string());
  if (!parse_target(text_of(header.target()), request)) return std::nullopt;
  for (const auto& field : header) {
    std::string name = lower_case(text_of(field.name_string()));
    if (name == "host" && request.fields.contains(name)) request.has_two_hosts = true;
    request.fields[std::move(name)] = text_of(field.value());
  }
  if (const auto length = parser.content_length()) request.length = *length;
  request.is_chunked = parser.chunked() || request.fields.contains("transfer-encoding");
  request.keeps_alive = parser.keep_alive();
  return request;
}

// A socket as Beast and Asio see a stream. What they wait for has a deadline: what was set for all
// of it, or else `next_bytes` each time.
class Stream {
 public:
  Stream(int socket, int stop, const Deadlines& deadlines)
      : socket_(socket), stop_(stop), deadlines_(deadlines) {}

  /// An idle connection has its own deadline until the first byte comes.
  void expect_header(bool is_idle) {
    is_idle_ = is_idle;
    deadline_ = Clock::now() + (is_idle ? deadlines_.idle : deadlines_.header);
  }
  void set_deadline(std::optional<Clock::time_point> deadline) { deadline_ = deadline; }
  [[nodiscard]] bool is_idle() const { return is_idle_; }

  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers, error_code& error) {
    const boost::asio::mutable_buffer front = *boost::asio::buffer_sequence_begin(buffers);
    const std::size_t count =
        repeat(POLLIN, error, [&] { return ::recv(socket_, front.data(), front.size(), 0); });
    if (is_idle_ && count > 0) expect_header(false);
    return count;
  }

  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, error_code& error) {
    std::array<iovec, 8> parts = {};
    std::size_t count = 0;
    for (auto at = boost::asio::buffer_sequence_begin(buffers);
         count < parts.size() && at != boost::asio::buffer_sequence_end(buffers); ++at) {
      const boost::asio::const_buffer part = *at;
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): nothing writes there
      parts[count++] = {const_cast<void*>(part.data()), part.size()};
    }
    msghdr message = {};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    return repeat(POLLOUT, error, [&] { return ::sendmsg(socket_, &message, MSG_NOSIGNAL); });
  }

  void send_file(const OpenFile& file, error_code& error) {
    off_t at = 0;
    while (!error && static_cast<std::uint64_t>(at) < file.bytes()) {
      repeat(POLLOUT, error, [&] {
        const std::uint64_t left = file.bytes() - static_cast<std::uint64_t>(at);
        return ::sendfile(socket_, file.fd(), &at, std::min<std::uint64_t>(left, 1 << 20));
      });
    }
  }

  // Asio's concepts require these; nobody calls them.
  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers);
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers);

 private:
  // Calls until bytes were moved; returns how many. Errors: timeout, eof, those of the call.
  template <typename Call>
  std::size_t repeat(short what, error_code& error, const Call& call) {
    const auto deadline = deadline_.value_or(Clock::now() + deadlines_.next_bytes);
    while (true) {
      const ssize_t count = call();
      error = {};
      if (count > 0) return static_cast<std::size_t>(count);
      if (count == 0) {
        error = boost::asio::error::eof;
      } else if (errno == EAGAIN) {
        error = wait(what, deadline);
      } else if (errno != EINTR) {
        error = {errno, boost::system::system_category()};
      }
      if (error) return 0;
    }
  }

  [[nodiscard]] error_code wait(short what, Clock::time_point deadline) const {
    while (true) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return boost::beast::error::timeout;
      std::array<pollfd, 2> fds = {pollfd{socket_, what, 0}, pollfd{stop_, POLLIN, 0}};
      const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(left));
      if (ready < 0 && errno != EINTR) return {errno, boost::system::system_category()};
      if (ready <= 0) continue;
      if (fds[1].revents != 0) return boost::asio::error::operation_aborted;
      return {};  // errors and the end show at the next read or write
    }
  }

  int socket_;
  int stop_;
  const Deadlines& deadlines_;
  std::optional<Clock::time_point> deadline_;
  bool is_idle_ = false;
};

class Connection {
 public:
  Connection(int socket, int stop, Application& application, const Deadlines& deadlines,
             ConnectionPlace& place)
      : socket_(socket),
        stream_(socket, stop, deadlines),
        application_(application),
        deadlines_(deadlines),
        place_(place) {
    in_.reserve(kPiece);
  }

  void serve() {
    while (serve_one()) {
    }
  }

 private:
  // False: the connection is over.
  bool serve_one() {
    place_.let_go();
    Parser parser;
    parser.header_limit(kMostHeaderBytes);
    parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // the plan for the body has one
    error_code error;
    stream_.expect_header(in_.size() == 0);
    http::read_header(stream_, in_, parser, error);
    if (error) {
      const auto refusal = refusal_of(error);
      return refusal && !stream_.is_idle() && refuse(*refusal);
    }
    stream_.set_deadline(std::nullopt);
    const auto& fields = parser.get();
    if (std::distance(fields.begin(), fields.end()) > kMostFields) {
      return refuse(error_response(431, "headers_too_large",
                                   fmt::format("there are more than {} fields", kMostFields)));
    }
    auto request = request_of(parser);
    if (!request) {
      return refuse(error_response(400, "bad_request", "the target is no path with parameters"));
    }
    return serve_request(*request, parser);
  }

  bool serve_request(Request& request, Parser& parser) {
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
    const ExpectedBody& plan = std::get<ExpectedBody>(begun);
    if (plan.is_known && !place_.hold()) return false;
    if (!read_body(request, plan, parser)) return false;
    request.has_hung_up = [this] { return has_hung_up(); };
    const Response response = plan.finish ? plan.finish() : application_.answer(request);
    return send(response, request) && request.keeps_alive;
  }

  bool read_body(Request& request, const ExpectedBody& plan, Parser& parser) {
    const std::uint64_t length = request.length.value_or(0);
    if (length > plan.most_bytes) {
      return refuse(error_response(413, "too_large",
                                   fmt::format("the body has {} bytes; expected at most {}", length,
                                               plan.most_bytes)),
                    &request);
    }
    error_code error;
    if (length > 0 && request.field("expect") == "100-continue" && in_.size() == 0) {
      constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      boost::asio::write(stream_, boost::asio::buffer(kContinue.data(), kContinue.size()), error);
    }
    std::array<char, kPiece> piece;
    while (!error && !parser.is_done()) {
      auto& body = parser.get().body();
      body.data = piece.data();
      body.size = piece.size();
      http::read_some(stream_, in_, parser, error);
      if (error == http::error::need_buffer) error = {};
      if (error) break;
      const std::string_view bytes(piece.data(), piece.size() - body.size);
      if (plan.take) {
        if (const auto refusal = plan.take(bytes)) return refuse(*refusal, &request);
      } else {
        request.body += bytes;
      }
    }
    if (error == boost::beast::error::timeout) {
      return refuse(error_response(408, "too_slow", "the body took too long"));
    }
    return !error;
  }

  [[nodiscard]] bool has_hung_up() const {
    pollfd other = {socket_, POLLRDHUP, 0};
    return ::poll(&other, 1, 0) > 0;
  }

  // Answers and ends the connection: what else was sent is not understood.
  bool refuse(const Response& response, const Request* request = nullptr) {
    Request last = request != nullptr ? *request : Request();
    last.keeps_alive = false;
    stream_.set_deadline(std::nullopt);
    if (!send(response, last)) return false;
    ::shutdown(socket_, SHUT_WR);
    place_.let_go();
    stream_.set_deadline(Clock::now() +
                         std::min<Clock::duration>(std::chrono::seconds(2), deadlines_.next_bytes));
    std::array<char, kPiece> piece;
    error_code error;
    for (std::uint64_t drained = 0; !error && drained < kMostDrained;) {
      drained += stream_.read_some(boost::asio::buffer(piece), error);
    }
    return false;
  }

  bool send(const Response& response, const Request& request) {
    http::response<http::span_body<const char>> answer(static_cast<http::status>(response.status),
                                                       11);
    for (const auto& [name, value] : kSecurityFields) answer.insert(name, value);
    answer.set(http::field::cache_control, response.is_kept_by_browser ? "no-cache" : "no-store");
    for (const auto& [name, value] : response.fields) answer.set(name, value);
    std::string packed;
    std::string_view body = response.body;
    if (!response.file && body.size() > kGzipFrom && accepts_gzip(request)) {
      packed = gzipped(body);
      body = packed;
      answer.set(http::field::content_encoding, "gzip");
    }
    const bool has_body = response.status != 204 && response.status != 304;
    if (has_body) {
      answer.set(http::field::content_type, response.type);
      answer.set(http::field::vary, "Accept-Encoding");
      answer.content_length(response.file ? response.file->bytes() : body.size());
    }
    answer.set(http::field::connection, request.keeps_alive ? "keep-alive" : "close");
    const bool is_sent = has_body && request.method != "HEAD";
    if (is_sent) answer.body() = {body.data(), body.size()};
    error_code error;
    http::write(stream_, answer, error);  // one packet where it fits
    if (is_sent && response.file && !error) stream_.send_file(*response.file, error);
    return !error;
  }

  int socket_;
  Stream stream_;
  Application& application_;
  const Deadlines& deadlines_;
  ConnectionPlace& place_;
  boost::beast::flat_buffer in_;  // read and not used yet
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
