// Requests and answers of HTTP as plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"

namespace tideline::web {

/// Values by name. Names of fields are in lower case; names of parameters are as they were sent.
using Values = std::map<std::string, std::string, std::less<>>;

/// A request after its header; `body` is filled for routes that take JSON.
struct Request {
  std::string method;  ///< "GET"
  std::string path;    ///< without the query, decoded: "/api/v1/about"
  Values query;        ///< decoded; of several with one name the last
  Values fields;       ///< of several with one name the last
  bool has_two_hosts = false;
  std::optional<std::uint64_t> length;  ///< of the body
  bool is_chunked = false;
  bool keeps_alive = true;
  std::string body;
  std::function<bool()> has_hung_up = {};  ///< whether nobody waits for the answer; may be empty

  /// Empty if it is not there.
  [[nodiscard]] std::string_view field(std::string_view name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? std::string_view() : std::string_view(found->second);
  }
  [[nodiscard]] std::string_view parameter(std::string_view name) const {
    const auto found = query.find(name);
    return found == query.end() ? std::string_view() : std::string_view(found->second);
  }
};

/// An open file that is sent as it is; closes it.
class OpenFile {
 public:
  OpenFile(int fd, std::uint64_t bytes) : fd_(fd), bytes_(bytes) {}
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  int fd_;
  std::uint64_t bytes_;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> fields = {};  ///< win over those of every answer
  std::shared_ptr<const OpenFile> file = {};                     ///< instead of `body`
  bool is_kept_by_browser = false;  ///< a file of the page, whose hash is its name there
};

/// {"error": {"code", "message"}}.
[[nodiscard]] Response error_response(int status, std::string_view code, std::string_view message);
/// "invalid_argument" and the like.
[[nodiscard]] const char* code_name(Code code);
/// 422 with the message of the command line; 500 for kInternal.
[[nodiscard]] Response error_response(const Error& error);

/// What becomes of the body of a request.
struct ExpectedBody {
  std::uint64_t most_bytes = 0;
  /// Takes the next bytes; an answer ends the reading. Empty: they go to Request::body.
  std::function<std::optional<Response>(std::string_view bytes)> take = {};
  /// Answers after the body. Empty: Application::answer does.
  std::function<Response()> finish = {};
  /// Whether the request is allowed, by token or socket; other connections make room when there are
  /// too many.
  bool is_known = false;
};

/// What answers requests. Thread: any number of requests at a time.
class Application {
 public:
  virtual ~Application() = default;
  /// Called after the header; an answer refuses the request before its body is read.
  [[nodiscard]] virtual std::variant<ExpectedBody, Response> begin(const Request& request) = 0;
  /// Called after the body.
  [[nodiscard]] virtual Response answer(const Request& request) = 0;
};

}  // namespace tideline::web
