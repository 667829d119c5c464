#include "app/web/gate.h"

#include <catch2/catch.hpp>
#include <set>

namespace tideline {
namespace {

using web::Gate;

const std::string kToken(64, 'a');

// The status with which a request is refused; 0: it is not.
int refused(const web::Values& fields, bool needs_token = false, const std::string& method = "GET",
            const std::vector<std::string>& hosts = {}) {
  web::Request request;
  request.method = method;
  request.fields = fields;
  const auto response = Gate(kToken, hosts).refuse(request, needs_token);
  return response ? response->status : 0;
}

}  // namespace

TEST_CASE("Tokens and names are long and never the same", "[gate]") {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    CHECK(web::random_token().size() == 64);
    CHECK(web::random_id().size() == 32);
    seen.insert(web::random_token());
    seen.insert(web::random_id());
  }
  CHECK(seen.size() == 200);
}

TEST_CASE("Only who calls the server by its names is answered", "[gate]") {
  for (const char* host : {"localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1:65535",
                           "127.0.0.1", "[::1]", "[::1]:80"}) {
    INFO(host);
    CHECK(refused({{"host", host}}) == 0);
  }
  for (const char* host :
       {"", "example.org", "example.org:80", "localhost.example.org", "127.0.0.1.example.org",
        "localhost:80x", "localhost:", "localhost:1:2", "127.0.0.2", "::1", "[::1]x"}) {
    INFO(host);
    CHECK(refused({{"host", host}}) == 421);
  }
  CHECK(refused({}) == 421);
  CHECK(refused({{"host", "gpu7:80"}}, false, "GET", {"GPU7"}) == 0);
  CHECK(refused({{"host", "gpu7"}}, false, "GET", {"gpu8"}) == 421);
  web::Request twice;
  twice.fields = {{"host", "localhost"}};
  twice.has_two_hosts = true;
  CHECK(Gate(kToken, {}).refuse(twice, false)->status == 421);
}

TEST_CASE("Pages of other servers are refused", "[gate]") {
  const auto with_origin = [](const char* origin) {
    return refused({{"host", "localhost:80"}, {"origin", origin}});
  };
  CHECK(with_origin("http://localhost:80") == 0);
  CHECK(with_origin("https://LOCALHOST:80") == 0);
  for (const char* origin :
       {"null", "", "http://example.org", "http://localhost:81", "http://localhost",
        "http://localhost:80.example.org", "file://", "http://127.0.0.1:80"}) {
    INFO(origin);
    CHECK(with_origin(origin) == 403);
  }
  const auto with_site = [](const char* site, const char* mode, const char* method) {
    return refused({{"host", "localhost"}, {"sec-fetch-site", site}, {"sec-fetch-mode", mode}},
                   false, method);
  };
  CHECK(with_site("same-origin", "cors", "POST") == 0);
  CHECK(with_site("none", "navigate", "GET") == 0);
  CHECK(with_site("cross-site", "navigate", "GET") == 0);
  CHECK(with_site("cross-site", "navigate", "POST") == 403);
  CHECK(with_site("cross-site", "no-cors", "GET") == 403);
  CHECK(with_site("cross-site", "cors", "OPTIONS") == 403);
}

TEST_CASE("Without the whole token nothing is told", "[gate]") {
  const auto with = [](const std::string& authorization) {
    return refused({{"host", "localhost"}, {"authorization", authorization}}, true);
  };
  CHECK(with("Bearer " + kToken) == 0);
  CHECK(refused({{"host", "localhost"}}, true) == 401);
  for (const std::string& other :
       std::vector<std::string>{"", kToken, "Basic " + kToken, "Bearer ", "Bearer " + kToken + "a",
                                "Bearer " + kToken.substr(1), "bearer " + kToken,
                                "Bearer " + std::string(63, 'a') + "b"}) {
    INFO(other);
    CHECK(with(other) == 401);
  }
  // The host comes first: who is not at the right place learns nothing of tokens.
  CHECK(refused({{"host", "example.org"}}, true) == 421);
}

TEST_CASE("A socket of one user needs neither token nor host", "[gate]") {
  CHECK_FALSE(Gate("", {}).refuse({}, true));
}

}  // namespace tideline
