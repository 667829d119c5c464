#include "app/web/target.h"

#include <catch2/catch.hpp>
#include <string>

namespace tideline {

TEST_CASE("A target must be a path with well-formed parameters", "[http]") {
  const auto is_path = [](const std::string& target) {
    web::Request request;
    return web::parse_target(target, request);
  };
  CHECK(is_path("/"));
  CHECK(is_path("/a?b"));
  CHECK(is_path("/?"));
  CHECK_FALSE(is_path(""));
  CHECK_FALSE(is_path("*"));
  CHECK_FALSE(is_path("http://elsewhere/"));
  CHECK_FALSE(is_path("/%"));
  CHECK_FALSE(is_path("/%4"));
  CHECK_FALSE(is_path("/%zz"));
  CHECK_FALSE(is_path("/%4z"));
  CHECK_FALSE(is_path("/%-1"));
  CHECK_FALSE(is_path("/a%00b"));
  CHECK_FALSE(is_path("/a?b=%0"));
  std::string many = "/?";
  for (int i = 0; i < 101; ++i) many += "a&";
  CHECK_FALSE(is_path(many));
}

TEST_CASE("Paths and parameters are decoded, of two with one name the last counts", "[http]") {
  web::Request request;
  REQUIRE(web::parse_target("/a%20b%C3%a9/c?x=1&y=a+b%26c&&x=2&z", request));
  CHECK(request.path == "/a b\xc3\xa9/c");
  CHECK(request.query == web::Values{{"x", "2"}, {"y", "a b&c"}, {"z", ""}});
}

}  // namespace tideline
