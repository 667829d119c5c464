#include "app/web/http.h"

#include <catch2/catch.hpp>
#include <string>

namespace tideline {
namespace {

using web::HeaderParser;

struct Parsed {
  std::optional<web::Response> problem;
  std::optional<web::Request> request;
  std::string rest;
  bool is_done = false;
};

// The header in pieces of `size` bytes.
Parsed parse(std::string_view text, std::size_t size = 1 << 20U) {
  HeaderParser parser;
  Parsed parsed;
  while (!parsed.is_done && !parsed.problem && !text.empty()) {
    parsed.rest += text.substr(0, size);
    text.remove_prefix(std::min(size, text.size()));
    const HeaderParser::State state = parser.take(parsed.rest);
    parsed.rest.erase(0, state.used);
    parsed.problem = state.problem;
    parsed.is_done = state.is_done;
  }
  parsed.rest += text;
  if (parsed.is_done) parsed.request = parser.request();
  return parsed;
}

int status_of(std::string_view text) {
  const Parsed parsed = parse(text);
  return parsed.problem ? parsed.problem->status : 0;
}

}  // namespace

TEST_CASE("A header is the same however it is cut into pieces", "[http]") {
  const std::string text =
      "POST /a%20b/c?x=1&y=a+b%26c&x=2 HTTP/1.1\r\nHost: localhost:80\r\nContent-Length: 3\r\n"
      "Accept-Encoding: gzip\r\n\r\nabc";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const Parsed parsed = parse(text, size);
    INFO(size);
    REQUIRE(parsed.request);
    CHECK(parsed.request->method == "POST");
    CHECK(parsed.request->path == "/a b/c");
    CHECK(parsed.request->query == web::Values{{"x", "2"}, {"y", "a b&c"}});
    CHECK(parsed.request->field("host") == "localhost:80");
    CHECK(parsed.request->length == 3);
    CHECK(parsed.request->keeps_alive);
    CHECK_FALSE(parsed.request->is_chunked);
    CHECK(parsed.rest == "abc");
  }
}

TEST_CASE("What is no proper header is refused", "[http]") {
  const std::string get = "GET / HTTP/1.1\r\n";
  CHECK(status_of("hello\r\n\r\n") == 400);
  CHECK(status_of("GET / HTTP/2.0\r\n\r\n") == 400);
  CHECK(status_of("\x16\x03\x01\x02") == 400);  // TLS
  CHECK(status_of(get + "Host : x\r\n\r\n") == 400);
  CHECK(status_of(get + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n") == 400);
  CHECK(status_of(get + "Content-Length: -1\r\n\r\n") == 400);
  CHECK(status_of(get + "Content-Length: 99999999999999999999999\r\n\r\n") == 400);
  CHECK(status_of(get + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
  CHECK(status_of("GET / HTTP/1.1\nHost: x\n\n") == 400);
  CHECK(status_of(get + "A: b\x01"
                        "c\r\n\r\n") == 400);
}

TEST_CASE("A header that does not end is refused before it is much", "[http]") {
  const std::string many(1 << 20U, 'a');
  CHECK(status_of("GET /" + many) == 431);
  CHECK(status_of("GET / HTTP/1.1\r\nA: " + many) == 431);
  CHECK(status_of(many) == 431);
  std::string fields = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 100'000; ++i) fields += "A: b\r\n";
  CHECK(status_of(fields) == 431);
  std::string few = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 101; ++i) few += "A" + std::to_string(i) + ": b\r\n";
  CHECK(status_of(few + "\r\n") == 431);
  // In small pieces, too.
  CHECK(parse("GET /" + many, 1000).problem->status == 431);
}

TEST_CASE("A target must be a path with well-formed parameters", "[http]") {
  const auto is_path = [](const std::string& target) {
    return parse("GET " + target + " HTTP/1.1\r\n\r\n").request.has_value();
  };
  CHECK(is_path("/"));
  CHECK(is_path("/a?b"));
  CHECK_FALSE(is_path("*"));
  CHECK_FALSE(is_path("http://elsewhere/"));
  CHECK_FALSE(is_path("/%"));
  CHECK_FALSE(is_path("/%zz"));
  CHECK_FALSE(is_path("/a%00b"));
  CHECK_FALSE(is_path("/a?b=%0"));
  std::string many = "/?";
  for (int i = 0; i < 101; ++i) many += "a&";
  CHECK_FALSE(is_path(many));
}

TEST_CASE("Two hosts, chunks and the end of a connection are told", "[http]") {
  CHECK(parse("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").request->has_two_hosts);
  CHECK(parse("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").request->is_chunked);
  CHECK(parse("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n").request->is_chunked);
  CHECK_FALSE(parse("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").request->keeps_alive);
  CHECK_FALSE(parse("GET / HTTP/1.0\r\n\r\n").request->keeps_alive);
}

}  // namespace tideline
