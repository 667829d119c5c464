// Headers as a connection reads them.
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/requests.h"

namespace tideline {

using test::asked;

TEST_CASE("A request is the same however it is cut into pieces", "[http]") {
  const std::string text =
      "POST /a%20b/c?x=1 HTTP/1.1\r\nHost: localhost:80\r\nContent-Length: 3\r\n"
      "Accept-Encoding: gzip\r\n\r\nabcGET / HTTP/1.1\r\n\r\n";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const auto all = asked(text, size);
    INFO(size);
    REQUIRE(all.requests.size() == 2);
    const web::Request& request = all.requests[0];
    CHECK(request.method == "POST");
    CHECK(request.path == "/a b/c");
    CHECK(request.query == web::Values{{"x", "1"}});
    CHECK(request.field("host") == "localhost:80");
    CHECK(request.length == 3);
    CHECK(request.body == "abc");
    CHECK(request.keeps_alive);
    CHECK_FALSE(request.is_chunked);
    CHECK(all.requests[1].path == "/");
  }
}

TEST_CASE("What is no proper header is refused", "[http]") {
  const auto status_of = [](std::string_view text) { return test::first_status(asked(text)); };
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
  CHECK(status_of("GET * HTTP/1.1\r\n\r\n") == 400);
  CHECK(status_of(get + "A: b\x01"
                        "c\r\n\r\n") == 400);
  // Those that end in the middle get no answer.
  CHECK(status_of(get + "A: b") == 0);
  CHECK(status_of("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab") == 0);
}

TEST_CASE("A header that does not end is refused before it is much", "[http]") {
  const auto status_of = [](std::string_view text, std::size_t size = std::string_view::npos) {
    return test::first_status(asked(text, size));
  };
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
  CHECK(status_of("GET /" + many, 1000) == 431);
}

TEST_CASE("Two hosts, chunks and the end of a connection are told", "[http]") {
  const auto request = [](std::string_view text) { return asked(text).requests.at(0); };
  CHECK(request("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").has_two_hosts);
  CHECK_FALSE(request("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").keeps_alive);
  CHECK_FALSE(request("GET / HTTP/1.0\r\n\r\n").keeps_alive);
  for (const char* encoding : {"chunked", "gzip"}) {
    const std::string text =
        "POST / HTTP/1.1\r\nTransfer-Encoding: " + std::string(encoding) + "\r\n\r\n";
    CHECK(test::first_status(asked(text)) == 411);
  }
}

}  // namespace tideline
