#include "app/web/framing.h"

#include "tests/unit/web/server_fixture.h"

namespace tideline {
namespace {

using test::kFields;
using test::Reply;
using test::request_text;

constexpr const char* kNotebook = "http://localhost:8888";

std::string policy_of(test::Server& server, const char* line) {
  const Reply reply = server.client.ask(request_text(line, kFields));
  CHECK(reply.fields.count("Content-Security-Policy") == 1);
  return reply.fields.at("Content-Security-Policy");
}

}  // namespace

TEST_CASE("An origin is a scheme, a host and a port that is not the scheme's", "[framing]") {
  for (const char* good :
       {kNotebook, "http://127.0.0.1:8889", "https://hub.example.org", "http://a-b.c1",
        "https://localhost:65535", "http://localhost:443", "https://localhost:80"}) {
    INFO(good);
    CHECK(web::why_no_origin(good).empty());
  }
  for (const char* bad : {"",
                          "*",
                          "null",
                          "localhost:8888",
                          "http://",
                          "http://localhost:8888/",
                          "http://a/b",
                          "http://*.example.org",
                          "http://*",
                          "ftp://localhost",
                          "http://localhost:",
                          "http://a:0",
                          "http://a:65536",
                          "http://a:08",
                          "http://a:80",
                          "https://a:443",
                          "http://a b",
                          "http://a;b",
                          "http://a http://b",
                          "http://a,http://b",
                          "http://a'",
                          "http://u@a",
                          "http://A",
                          "HTTP://a",
                          "http://[::1]:8888",
                          "http://a..b",
                          "http://.a",
                          "http://a.",
                          "http://-a",
                          "http://a:1:2",
                          "http://a\r\nX: y",
                          "'self'",
                          "https:"}) {
    INFO(bad);
    CHECK(web::why_no_origin(bad).starts_with("expected one origin"));
  }
  CHECK_FALSE(web::why_no_origin("http://" + std::string(254, 'a')).empty());
}

TEST_CASE("The page is framed by the origin that is allowed, answers by none", "[framing]") {
  web::RoutesOptions options;
  options.frame_origin = kNotebook;
  test::Server server(options);
  const std::string begin = "default-src 'none'; script-src 'self'; ";
  for (const char* line : {"GET /", "GET /front/index.html"}) {
    const std::string policy = policy_of(server, line);
    CHECK(policy.starts_with(begin));
    CHECK(policy.ends_with("; frame-ancestors http://localhost:8888"));
  }
  for (const char* line : {"GET /api/v1/about", "GET /nothing", "POST /"}) {
    CHECK(policy_of(server, line).ends_with("; frame-ancestors 'none'"));
  }
  test::Server closed;
  CHECK(policy_of(closed, "GET /").starts_with(begin));
  CHECK(policy_of(closed, "GET /").ends_with("; frame-ancestors 'none'"));
}

}  // namespace tideline
